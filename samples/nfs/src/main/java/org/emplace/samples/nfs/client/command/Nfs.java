// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.command;

import java.io.IOException;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code nfs}: works with files on an NFS version 3 server without mounting it into the system. */
@Command(
        name = "nfs",
        description =
                "Works with files on an NFS version 3 server, over RDMA or TCP, without mounting it into the system.",
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
            "Files on the server are named nfs://HOST[:PORT]/EXPORT/PATH; %%XX stands for a byte of a name.",
            "'nfs help COMMAND' says more of a command."
        },
        subcommands = {
            HelpCommand.class,
            Ls.class,
            Stat.class,
            Cat.class,
            Get.class,
            Put.class,
            Rm.class,
            Mkdir.class,
            Mv.class
        })
public final class Nfs implements Runnable {
    /** Held here, because the logging system holds loggers weakly. */
    private static final Logger RUNTIME = Logger.getLogger("org.emplace");

    @Spec
    private @Nullable CommandSpec spec;

    /** Runs the command and exits with its status. */
    public static void main(String[] args) {
        RUNTIME.setLevel(Level.WARNING);
        System.exit(run(args));
    }

    /** Runs the command; returns its exit status. */
    static int run(String... args) {
        return new CommandLine(new Nfs())
                .setParameterExceptionHandler((problem, ignored) -> explainUsage(problem))
                .setExecutionExceptionHandler((problem, command, ignored) -> explain(problem, command))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .execute(args);
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
        System.err.println(Failures.prefix(command) + problem.getMessage());
        System.err.println("Try '" + name + " --help' for more.");
        return CommandLine.ExitCode.USAGE;
    }

    private static int explain(Exception problem, CommandLine command) throws Exception {
        if (problem instanceof IOException failure) {
            System.err.println(Failures.prefix(command) + Failures.text(failure));
            return CommandLine.ExitCode.SOFTWARE;
        }
        throw problem;
    }
}
