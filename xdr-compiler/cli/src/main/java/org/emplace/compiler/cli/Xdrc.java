// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.emplace.compiler.source.FileFailure;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command {@code xdrc}. {@link ExitStatus} defines its exit status. */
@Command(
        name = "xdrc",
        description = "Compiles XDR protocol definitions with their Upper Layer Bindings to Java.",
        mixinStandardHelpOptions = true,
        version = Xdrc.VERSION,
        synopsisSubcommandLabel = "COMMAND")
public final class Xdrc {

    static final String VERSION = "xdrc (Emplace) 0.1.0";

    private Xdrc() {}

    /** Runs the command and exits with its status. */
    public static void main(String[] args) {
        System.exit(run(
                new PrintWriter(System.out, true, StandardCharsets.UTF_8),
                new PrintWriter(System.err, true, StandardCharsets.UTF_8),
                args));
    }

    /** Runs the command. Returns its exit status. */
    public static int run(PrintWriter out, PrintWriter err, String... args) {
        int status = commandLine(out, err, args).execute(args);
        if (out.checkError()) {
            err.println("xdrc: cannot write to standard output");
            return ExitStatus.IO_FAILURE;
        }
        return status;
    }

    /** The command with the subcommands that the arguments may need: all of them if there are no arguments. */
    public static CommandLine commandLine(PrintWriter out, PrintWriter err, String... args) {
        Map<String, Supplier<Subcommand>> commands = commands();
        CommandLine xdrc = new CommandLine(new Xdrc());
        // Creating a subcommand takes time, so those that the arguments do not need are left out.
        String first = args.length > 0 ? args[0] : "";
        boolean needsAll = !commands.containsKey(first) && !first.equals("--version");
        commands.forEach((name, command) -> {
            if (needsAll || name.equals(first)) {
                xdrc.addSubcommand(name, command.get());
            }
        });
        ExitStatus.explain(xdrc);
        if (needsAll) {
            xdrc.addSubcommand(new HelpCommand());
        }
        xdrc.setOut(out)
                .setErr(err)
                .setParameterExceptionHandler(Xdrc::wrongUsage)
                .setExecutionExceptionHandler(Xdrc::failed)
                .setCaseInsensitiveEnumValuesAllowed(true);
        return xdrc;
    }

    private static Map<String, Supplier<Subcommand>> commands() {
        Map<String, Supplier<Subcommand>> commands = new LinkedHashMap<>();
        commands.put("compile", CompileCommand::new);
        commands.put("check", CheckCommand::new);
        commands.put("compare", CompareCommand::new);
        commands.put("document", DocumentCommand::new);
        commands.put("explain", ExplainCommand::new);
        commands.put("explain-capture", ExplainCaptureCommand::new);
        commands.put("extract", ExtractCommand::new);
        commands.put("init", InitCommand::new);
        return commands;
    }

    private static int wrongUsage(ParameterException exception, String[] args) {
        CommandLine at = exception.getCommandLine();
        String command = at.getCommandSpec().qualifiedName();
        at.getErr().println(command + ": " + reason(exception) + "; try " + command + " --help");
        return ExitStatus.USAGE;
    }

    /** The library reports a command that does not exist by its position among the arguments. */
    private static @Nullable String reason(ParameterException exception) {
        if (exception.getCommandLine().getParent() != null) {
            return exception.getMessage();
        }
        Optional<String> command = exception instanceof UnmatchedArgumentException unmatched
                ? unmatched.getUnmatched().stream()
                        .filter(name -> !name.startsWith("-"))
                        .findFirst()
                : Optional.ofNullable(exception.getValue()); // of the command help
        return command.map(name -> "there is no command `" + name + "`").orElse(exception.getMessage());
    }

    private static int failed(Exception exception, CommandLine at, ParseResult arguments) {
        String command = at.getCommandSpec().qualifiedName();
        if (exception instanceof IOException failure) {
            String file = FileFailure.file(failure).map(name -> " " + name).orElse("");
            at.getErr().println(command + ": cannot read or write" + file + ": " + FileFailure.reason(failure));
            return ExitStatus.IO_FAILURE;
        }
        at.getErr().println(command + ": a defect of the compiler; please report it with the input files and this:");
        exception.printStackTrace(at.getErr());
        return ExitStatus.DEFECT;
    }
}
