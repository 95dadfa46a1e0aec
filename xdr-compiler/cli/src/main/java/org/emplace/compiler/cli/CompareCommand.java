// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.emplace.compiler.Analysis;
import org.emplace.compiler.CompileRequest;
import org.emplace.compiler.XdrCompiler;
import org.emplace.compiler.compare.Comparison.Change;
import org.emplace.compiler.compare.Comparison;
import org.emplace.compiler.diagnostic.Style;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code xdrc compare}: compares two versions of a protocol. */
@Command(
        name = "compare",
        description =
                "Compares two versions of a protocol, and reports for each change whether old and new peers still work together.")
final class CompareCommand extends Subcommand {

    private static final int INCOMPATIBLE = 1;

    @Mixin
    private Reading reading = new Reading();

    @Mixin
    private final ImportedFiles imported = new ImportedFiles();

    @Mixin
    private Reporting reporting = new Reporting();

    @Parameters(index = "0", paramLabel = "OLD", description = "the old .x file, or a folder of .x files")
    private Path before = Path.of("");

    @Parameters(index = "1", paramLabel = "NEW", description = "the new .x file, or a folder of .x files")
    private Path after = Path.of("");

    @Override
    public Integer call() throws IOException {
        try (imported) {
            return compare(read(before), read(after));
        }
    }

    private int compare(Analysis old, Analysis now) {
        int status = Math.max(ExitStatus.ofQuestion(old.diagnostics()), ExitStatus.ofQuestion(now.diagnostics()));
        if (status != ExitStatus.OK) {
            return status;
        }
        List<Change> changes =
                Comparison.of(old.meaning().orElseThrow(), now.meaning().orElseThrow());
        changes.forEach(reporting.isJson() ? this::json : this::text);
        if (changes.isEmpty() && !reporting.isJson()) {
            out().println("no change");
        }
        return Comparison.isCompatible(changes) ? ExitStatus.OK : INCOMPATIBLE;
    }

    private Analysis read(Path place) throws IOException {
        Analysis read = XdrCompiler.analyze(imported.with(files(place)), reading.options());
        reporting.showErrors(read.diagnostics(), read.files(), err());
        return read;
    }

    /** The file, or the files in the folder and its subfolders. A folder without any is returned itself, which then cannot be read. */
    private static List<CompileRequest.Source> files(Path place) throws IOException {
        if (!Files.isDirectory(place)) {
            return List.of(Input.source(place));
        }
        try (Stream<Path> all = Files.walk(place)) {
            List<CompileRequest.Source> files = all.filter(
                            file -> file.toString().endsWith(".x"))
                    .sorted()
                    .map(Input::source)
                    .toList();
            return files.isEmpty() ? List.of(Input.source(place)) : files;
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private void text(Change change) {
        Style.Role role = change.effect() == Change.Effect.COMPATIBLE ? Style.Role.HINT : Style.Role.ERROR;
        out().println(reporting.ofOutput().of(role, change.effect().word() + ":") + " " + change.where() + ": "
                + change.what());
        out().println("    " + change.why());
    }

    private void json(Change change) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
            json.writeStartObject();
            json.writeStringField("effect", change.effect().word());
            json.writeStringField("where", change.where());
            json.writeStringField("what", change.what());
            json.writeStringField("why", change.why());
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        out().println(text);
    }
}
