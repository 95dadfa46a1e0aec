// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command {@code benchmarks/run}. */
@Command(
        name = "run",
        mixinStandardHelpOptions = true,
        description = "Measures Emplace beside peers in the same run.",
        subcommands = {
            Iwarp.class,
            ServedFiles.class,
            Servers.class,
            Connections.class,
            Attacks.class,
            Verbs.class,
            Xdr.class,
            Compile.class
        },
        synopsisSubcommandLabel = "SCENARIO")
final class Benchmarks {
    private Benchmarks() {}

    /** Runs the scenario that the arguments name. */
    public static void main(String[] args) {
        System.exit(new CommandLine(new Benchmarks()).execute(args));
    }
}
