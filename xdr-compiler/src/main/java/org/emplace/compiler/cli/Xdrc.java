// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import javax.lang.model.SourceVersion;
import org.emplace.compiler.CompileRequest;
import org.emplace.compiler.CompileResult;
import org.emplace.compiler.OutputFolder;
import org.emplace.compiler.XdrCompiler;
import org.emplace.compiler.diagnostic.DiagnosticRenderer;
import org.emplace.compiler.source.FileFailure;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** The command {@code xdrc}. Exit status: 0 for success, 1 for errors in input or output, 2 for wrong usage. */
@Command(
        name = "xdrc",
        description = "Compiles XDR protocol definitions with their Upper Layer Bindings to Java.",
        mixinStandardHelpOptions = true,
        version = Xdrc.VERSION,
        synopsisSubcommandLabel = "COMMAND")
public final class Xdrc {

    static final String VERSION = "xdrc (Emplace) 0.1.0";
    private static final int INPUT_ERRORS = 1;

    private final PrintWriter out;
    private final PrintWriter err;

    private Xdrc(PrintWriter out, PrintWriter err) {
        this.out = out;
        this.err = err;
    }

    /** Runs the command and exits with its status. */
    public static void main(String[] args) {
        System.exit(run(
                new PrintWriter(System.out, true, StandardCharsets.UTF_8),
                new PrintWriter(System.err, true, StandardCharsets.UTF_8),
                args));
    }

    /** Runs the command; the answer is its exit status. */
    public static int run(PrintWriter out, PrintWriter err, String... args) {
        return new CommandLine(new Xdrc(out, err))
                .setOut(out)
                .setErr(err)
                .setParameterExceptionHandler(Xdrc::wrongUsage)
                .execute(args);
    }

    @Command(
            description = "Compiles .x files to Java sources. A binding in NAME.ulb beside NAME.x is read with it.",
            version = VERSION,
            mixinStandardHelpOptions = true)
    int compile(
            @Option(names = "--output", paramLabel = "DIR", required = true, description = "where the sources go")
                    Path output,
            @Option(names = "--package", paramLabel = "NAME", required = true, description = "their Java package")
                    String packageName,
            @Parameters(paramLabel = "FILE", arity = "1..*", description = "the .x files, of one protocol")
                    List<Path> files) {
        if (!SourceVersion.isName(packageName)) {
            return usage("compile", "`" + packageName + "` is not a Java package name");
        }
        List<CompileRequest.Source> sources = files.stream()
                .map(file -> new CompileRequest.Source(file, file.toString()))
                .toList();
        CompileResult result = XdrCompiler.compile(new CompileRequest(sources, packageName));
        DiagnosticRenderer renderer = new DiagnosticRenderer(result.sources());
        result.diagnostics().forEach(diagnostic -> err.print(renderer.render(diagnostic)));
        err.flush();
        return result.failed() ? INPUT_ERRORS : write(result, output);
    }

    private int write(CompileResult result, Path output) {
        try {
            new OutputFolder(output).write(result.generated());
        } catch (IOException e) {
            err.println("xdrc compile: cannot write to " + output + ": " + FileFailure.reason(e));
            return INPUT_ERRORS;
        }
        out.println(result.generated().size() + " files in " + output);
        return CommandLine.ExitCode.OK;
    }

    private int usage(String command, String problem) {
        err.println("xdrc " + command + ": " + problem + "; try xdrc " + command + " --help");
        return CommandLine.ExitCode.USAGE;
    }

    private static int wrongUsage(ParameterException exception, String[] args) {
        Xdrc xdrc = (Xdrc) exception.getCommandLine().getCommandSpec().root().userObject();
        String command = exception.getCommandLine().getCommandSpec().qualifiedName();
        xdrc.err.println(command + ": " + exception.getMessage() + "; try " + command + " --help");
        return CommandLine.ExitCode.USAGE;
    }
}
