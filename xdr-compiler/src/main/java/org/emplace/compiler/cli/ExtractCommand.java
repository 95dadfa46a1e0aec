// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.emplace.compiler.extract.XdrExtractor;
import org.emplace.compiler.source.FileFailure;
import org.emplace.compiler.source.SourceFile;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code xdrc extract}: extracts the XDR of an RFC. */
@Command(
        name = "extract",
        description = "Extracts the XDR from the plain text of an RFC or draft.",
        version = Xdrc.VERSION,
        mixinStandardHelpOptions = true)
final class ExtractCommand implements Callable<Integer> {

    private final PrintWriter out;
    private final PrintWriter err;

    @Option(names = "--output", paramLabel = "FILE", description = "the file for the XDR, instead of standard output")
    private @Nullable Path output;

    @Parameters(paramLabel = "DOCUMENT", description = "the plain text of the document")
    private Path document = Path.of("");

    ExtractCommand(PrintWriter out, PrintWriter err) {
        this.out = out;
        this.err = err;
    }

    @Override
    public Integer call() {
        String xdr;
        try {
            xdr = XdrExtractor.extract(
                    SourceFile.read(document, document.toString()).text());
        } catch (IOException e) {
            err.println("xdrc extract: cannot read " + document + ": " + FileFailure.reason(e));
            return ExitStatus.IO_FAILURE;
        }
        if (xdr.isEmpty()) {
            err.println("xdrc extract: there is no XDR in " + document);
            return ExitStatus.INPUT_ERRORS;
        }
        return write(xdr);
    }

    private int write(String xdr) {
        Optional<Path> file = Optional.ofNullable(output);
        try {
            if (file.isPresent()) {
                Files.writeString(file.get(), xdr);
            } else {
                out.print(xdr);
                out.flush();
            }
            return ExitStatus.OK;
        } catch (IOException e) {
            err.println("xdrc extract: cannot write " + file.orElseThrow() + ": " + FileFailure.reason(e));
            return ExitStatus.IO_FAILURE;
        }
    }
}
