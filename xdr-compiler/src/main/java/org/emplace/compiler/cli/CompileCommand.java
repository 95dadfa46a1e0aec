// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import javax.lang.model.SourceVersion;
import org.emplace.compiler.CompileRequest;
import org.emplace.compiler.CompileResult;
import org.emplace.compiler.OutputFolder;
import org.emplace.compiler.XdrCompiler;
import org.emplace.compiler.source.FileFailure;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code xdrc compile}: Java sources from {@code .x} files. */
@Command(
        name = "compile",
        description = "Compiles .x files to Java sources. A binding in NAME.ulb beside NAME.x is read with it.",
        version = Xdrc.VERSION,
        mixinStandardHelpOptions = true)
final class CompileCommand implements Callable<Integer> {

    private final PrintWriter out;
    private final PrintWriter err;

    @Option(names = "--output", paramLabel = "DIR", required = true, description = "where the sources go")
    private Path output = Path.of("");

    @Option(names = "--package", paramLabel = "NAME", required = true, description = "their Java package")
    private String packageName = "";

    @Mixin
    private Reading reading = new Reading();

    @Mixin
    private Reporting reporting = new Reporting();

    @Mixin
    private SourceFiles files = new SourceFiles();

    CompileCommand(PrintWriter out, PrintWriter err) {
        this.out = out;
        this.err = err;
    }

    @Override
    public Integer call() {
        if (!SourceVersion.isName(packageName)) {
            err.println("xdrc compile: `" + packageName + "` is not a Java package name; try xdrc compile --help");
            return CommandLine.ExitCode.USAGE;
        }
        CompileResult result = XdrCompiler.compile(new CompileRequest(files.all(), packageName, reading.options()));
        reporting.show(result.diagnostics(), result.sources(), err);
        return result.failed() ? Xdrc.INPUT_ERRORS : write(result);
    }

    private int write(CompileResult result) {
        try {
            new OutputFolder(output).write(result.generated());
        } catch (IOException e) {
            err.println("xdrc compile: cannot write to " + output + ": " + FileFailure.reason(e));
            return Xdrc.INPUT_ERRORS;
        }
        out.println(result.generated().size() + " files in " + output);
        return CommandLine.ExitCode.OK;
    }
}
