// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.emplace.compiler.CompileRequest;
import org.emplace.compiler.CompileResult;
import org.emplace.compiler.DefinitionArchive;
import org.emplace.compiler.OutputFolder;
import org.emplace.compiler.XdrCompiler;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code xdrc compile}: compiles {@code .x} files to Java sources. */
@Command(
        name = "compile",
        description = {
            "Compiles .x files to Java sources. A binding in NAME.ulb beside NAME.x is read with it.",
            "Removes sources that an earlier run generated from the same files, unless this run generates them too."
        })
final class CompileCommand extends Subcommand {

    @Option(names = "--output", paramLabel = "DIR", required = true, description = "the directory for the sources")
    private Path output = Path.of("");

    @Option(names = "--package", paramLabel = "NAME", required = true, description = "their Java package")
    private String packageName = "";

    @Option(
            names = "--share",
            paramLabel = "DIR",
            description = "also writes the definitions into DIR/META-INF/xdr, for a jar whose users can import them")
    private @Nullable Path share;

    @Mixin
    private DependencyFile dependencies = new DependencyFile();

    @Mixin
    private final Input input = new Input();

    @Override
    public Integer call() throws IOException {
        requirePackageName(packageName);
        try (input) {
            CompileRequest request = new CompileRequest(input.sources(), packageName, input.options());
            CompileResult result = XdrCompiler.compile(request);
            int status = input.report(result.diagnostics(), result.sources(), err());
            return status == ExitStatus.OK ? write(request, result) : status;
        }
    }

    private int write(CompileRequest request, CompileResult result) {
        GeneratedSources sources = new GeneratedSources(output, packageName, input.files());
        try {
            Optional<Path> foreign = sources.foreign(result.generated().keySet());
            if (foreign.isPresent()) {
                return fail(
                        ExitStatus.IO_FAILURE,
                        "will not overwrite " + foreign.get()
                                + ", which xdrc did not generate; choose another --output or --package");
            }
            int removed = sources.write(result.generated());
            if (share != null) {
                new OutputFolder(share).write(DefinitionArchive.contents(request));
            }
            dependencies.write(input.files(), result.sources());
            out().println(count(result.generated().size(), "file") + " in " + output
                    + (removed == 0 ? "" : ", " + count(removed, "stale file") + " removed"));
            return ExitStatus.OK;
        } catch (IOException e) {
            return failToWrite(output, e);
        }
    }

    private static String count(int number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }
}
