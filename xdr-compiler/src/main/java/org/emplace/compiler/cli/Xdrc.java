// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.cli;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;

/** The command {@code xdrc}. Exit status: 0 for success, 1 for errors in input or output, 2 for wrong usage. */
@Command(
        name = "xdrc",
        description = "Compiles XDR protocol definitions with their Upper Layer Bindings to Java.",
        mixinStandardHelpOptions = true,
        version = Xdrc.VERSION,
        synopsisSubcommandLabel = "COMMAND")
public final class Xdrc {

    static final String VERSION = "xdrc (Emplace) 0.1.0";
    static final int INPUT_ERRORS = 1;

    private Xdrc() {}

    /** Runs the command and exits with its status. */
    public static void main(String[] args) {
        System.exit(run(
                new PrintWriter(System.out, true, StandardCharsets.UTF_8),
                new PrintWriter(System.err, true, StandardCharsets.UTF_8),
                args));
    }

    /** Runs the command; the answer is its exit status. */
    public static int run(PrintWriter out, PrintWriter err, String... args) {
        return new CommandLine(new Xdrc())
                .addSubcommand(new CompileCommand(out, err))
                .addSubcommand(new CompareCommand(out, err))
                .addSubcommand(new DocumentCommand(out, err))
                .addSubcommand(new ExplainCommand(out, err))
                .addSubcommand(new ExtractCommand(out, err))
                .setOut(out)
                .setErr(err)
                .setParameterExceptionHandler(Xdrc::wrongUsage)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .execute(args);
    }

    private static int wrongUsage(ParameterException exception, String[] args) {
        CommandLine at = exception.getCommandLine();
        String command = at.getCommandSpec().qualifiedName();
        at.getErr().println(command + ": " + exception.getMessage() + "; try " + command + " --help");
        return CommandLine.ExitCode.USAGE;
    }
}
