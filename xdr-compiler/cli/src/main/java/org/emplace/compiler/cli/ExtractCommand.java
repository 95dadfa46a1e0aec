// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.emplace.compiler.extract.XdrExtractor;
import org.emplace.compiler.source.FileFailure;
import org.emplace.compiler.source.SourceFile;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code xdrc extract}: extracts the XDR of an RFC. */
@Command(name = "extract", description = "Extracts the XDR from the plain text of an RFC or draft.")
final class ExtractCommand extends Subcommand {

    @Option(names = "--output", paramLabel = "FILE", description = "the file for the XDR, instead of standard output")
    private @Nullable Path output;

    @Parameters(paramLabel = "DOCUMENT", description = "the plain text of the document")
    private Path document = Path.of("");

    @Override
    public Integer call() {
        String xdr;
        try {
            xdr = XdrExtractor.extract(
                    SourceFile.read(document, document.toString()).text());
        } catch (IOException e) {
            return fail(ExitStatus.IO_FAILURE, "cannot read " + document + ": " + FileFailure.reason(e));
        }
        if (xdr.isEmpty()) {
            return fail(ExitStatus.INPUT_ERRORS, "there is no XDR in " + document);
        }
        return write(xdr);
    }

    private int write(String xdr) {
        Optional<Path> file = Optional.ofNullable(output);
        try {
            if (file.isPresent()) {
                Files.writeString(file.get(), xdr);
            } else {
                out().print(xdr);
                out().flush();
            }
            return ExitStatus.OK;
        } catch (IOException e) {
            return failToWrite(file.orElseThrow(), e);
        }
    }
}
