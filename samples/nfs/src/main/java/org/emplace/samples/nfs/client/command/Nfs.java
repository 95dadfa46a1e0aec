// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.command;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command {@code nfs}: works with files on an NFS version 3 server without mounting it into the system. */
@Command(
        name = "nfs",
        description = "Works with files on NFS version 3 servers, over RDMA or TCP, without a mount.",
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true,
        version = "nfs (Emplace sample) 0.1.0",
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:Everything was done.",
            "1:Something failed; a line on standard error says what.",
            "2:Wrong usage."
        },
        footer = {
            "",
            "Files on a server are named nfs://HOST[:PORT]/EXPORT/PATH[?OPTION=VALUE&...]. Write a byte of a name as %%XX, a"
                    + " question mark as %%3F. Mount options: proto, mountport, timeo, hard, soft, rsize, wsize, uid, gid.",
            "'nfs help COMMAND' describes a command."
        })
public final class Nfs implements Runnable {
    /** Referenced here because the logging system references loggers only weakly. */
    private static final Logger RUNTIME = Logger.getLogger("org.emplace");

    private static final Logger RECOVERY = Logger.getLogger("org.emplace.rpc.recovery");

    /** The subcommands, in the order of {@code --help}. */
    private static final List<Class<?>> SUBCOMMANDS = List.of(
            HelpCommand.class,
            Ls.class,
            Stat.class,
            Cat.class,
            Tree.class,
            Find.class,
            Du.class,
            Cp.class,
            Sync.class,
            Rm.class,
            Mkdir.class,
            Mv.class,
            Devices.class,
            AutoComplete.GenerateCompletion.class);

    @Spec
    private @Nullable CommandSpec spec;

    /** Runs the command and exits with its status. */
    public static void main(String[] args) {
        RUNTIME.setLevel(Level.OFF); // the command itself reports failed calls
        RECOVERY.setLevel(Level.INFO); // tells the user why a call takes long: it waits for the server
        StandardOutput output = new StandardOutput();
        System.setOut(new PrintStream(new BufferedOutputStream(output), false, StandardCharsets.UTF_8));
        int status = run(args);
        System.out.flush();
        System.exit(output.failure().map(Nfs::explainOutput).orElse(status));
    }

    /** Runs the command; returns its exit status. */
    public static int run(String... args) {
        return commandLine(args).execute(args);
    }

    /** The command with the subcommands that the arguments may need: all of them if there are no arguments. */
    public static CommandLine commandLine(String... args) {
        CommandLine nfs = new CommandLine(new Nfs());
        subcommands(args).forEach(nfs::addSubcommand);
        String[] version = nfs.getCommandSpec().version();
        nfs.getSubcommands()
                .values()
                .forEach(command -> command.getCommandSpec().version(version));
        return nfs.setParameterExceptionHandler((problem, ignored) -> explainUsage(problem))
                .setExecutionExceptionHandler((problem, command, ignored) -> explain(problem, command))
                .setCaseInsensitiveEnumValuesAllowed(true);
    }

    /** The requested subcommand, if there is one. Creating all of them takes longer than most of them take to run. */
    private static List<Class<?>> subcommands(String... args) {
        List<Class<?>> named = SUBCOMMANDS.stream()
                .filter(each -> args.length > 0
                        && each.getAnnotation(Command.class).name().equals(args[0])
                        && each != HelpCommand.class
                        && each != AutoComplete.GenerateCompletion.class)
                .toList();
        return named.isEmpty() ? SUBCOMMANDS : named;
    }

    @Override
    public void run() {
        if (spec != null) {
            throw new ParameterException(spec.commandLine(), "a command is missing");
        }
    }

    private static int explainUsage(ParameterException problem) {
        CommandLine command = problem.getCommandLine();
        String name = command.getCommandSpec().qualifiedName();
        System.err.println(Failures.prefix(command) + text(problem));
        System.err.println("Try '" + name + " --help' for more.");
        return CommandLine.ExitCode.USAGE;
    }

    /** Replaces messages of the library that speak of positions in the command line. */
    private static @Nullable String text(ParameterException problem) {
        if (problem instanceof UnmatchedArgumentException unmatched && !unmatched.isUnknownOption()) {
            String argument = unmatched.getUnmatched().get(0);
            boolean root = problem.getCommandLine().getParent() == null;
            return "'" + argument + (root ? "' is no command" : "' is one argument too many");
        }
        boolean positional =
                problem.getArgSpec() != null && problem.getArgSpec().isPositional();
        return positional && problem.getCause() instanceof TypeConversionException cause
                ? cause.getMessage()
                : problem.getMessage();
    }

    private static int explain(Exception problem, CommandLine command) throws Exception {
        if (problem instanceof IOException failure) {
            System.err.println(Failures.prefix(command) + Failures.text(failure));
            return CommandLine.ExitCode.SOFTWARE;
        }
        if (problem instanceof UncheckedIOException output) {
            return explainOutput(Objects.requireNonNull(output.getCause()));
        }
        throw problem;
    }

    /** Not reported if the reader has ended, as {@code head} does. */
    private static int explainOutput(IOException failure) {
        if (!"Broken pipe".equals(failure.getMessage())) {
            System.err.println("nfs: standard output: " + Failures.text(failure));
        }
        return CommandLine.ExitCode.SOFTWARE;
    }

    /** Standard output that remembers the first failure, which a {@link java.io.PrintStream} does not tell. */
    private static final class StandardOutput extends OutputStream {
        private final FileOutputStream output = new FileOutputStream(FileDescriptor.out);
        private @Nullable IOException failure;

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            try {
                output.write(bytes, offset, length);
            } catch (IOException e) {
                failure = e;
                throw e;
            }
        }

        /** The failure, if there was one. */
        Optional<IOException> failure() {
            return Optional.ofNullable(failure);
        }
    }
}
