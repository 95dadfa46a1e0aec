// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.cli;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.emplace.compiler.CompileRequest.Source;
import org.emplace.compiler.DefinitionArchive;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The option for files whose classes exist already, shared by several commands. Imported jars are open until this is closed. */
final class ImportedFiles implements Closeable {
    private static final String INSIDE = "!/";

    @Option(
            names = "--import",
            paramLabel = "PACKAGE=FILE|JAR",
            description = {
                "uses the classes in PACKAGE that were generated from FILE, a .x file, instead of generating them;",
                "a JAR imports all definitions in its META-INF/xdr"
            })
    private List<String> imports = List.of();

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec command;

    private final List<DefinitionArchive> archives = new ArrayList<>();

    /** These files, followed by the imported ones. */
    List<Source> with(List<Source> own) throws IOException {
        List<Source> all = new ArrayList<>(own);
        for (String each : imports) {
            all.addAll(sources(each));
        }
        return all;
    }

    private List<Source> sources(String written) throws IOException {
        try {
            Optional<Source> file = Source.imported(written, name -> new Source(Path.of(name), name));
            return file.isPresent() ? List.of(file.get()) : carriedBy(written);
        } catch (IllegalArgumentException e) {
            throw wrong(e.getMessage());
        }
    }

    private List<Source> carriedBy(String jar) throws IOException {
        DefinitionArchive archive = DefinitionArchive.open(Path.of(jar), jar + INSIDE);
        archives.add(archive);
        if (archive.sources().isEmpty()) {
            throw wrong(jar + " contains no definitions: it has no META-INF/xdr/PACKAGE/NAME.x");
        }
        return archive.sources();
    }

    private CommandLine.ParameterException wrong(@Nullable String what) {
        return new CommandLine.ParameterException(command.commandLine(), "--import: " + what);
    }

    /** The file of a name: the jar, if the name is that of an entry in one. */
    static String fileOf(String name) {
        int inside = name.indexOf(INSIDE);
        return inside < 0 ? name : name.substring(0, inside);
    }

    @Override
    public void close() throws IOException {
        for (DefinitionArchive archive : archives) {
            archive.close();
        }
    }
}
