// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.command;

import org.emplace.samples.nfs.server.NfsServer.Capacity;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine;

/** The options that say how much a server does at a time. */
final class CapacitySettings {
    @Option(
            names = "--connections",
            paramLabel = "N",
            defaultValue = "1024",
            description = "Limit on connections; further ones are refused (default: ${DEFAULT-VALUE}).")
    private int connections;

    @Option(
            names = "--threads",
            paramLabel = "N",
            defaultValue = "16",
            description = "Threads that serve calls; further calls wait for one (default: ${DEFAULT-VALUE}).")
    private int threads;

    @Option(
            names = "--calls",
            paramLabel = "N",
            defaultValue = "64",
            description =
                    "Limit on the calls of each connection that run or wait for a thread; further ones wait at the client"
                            + " (default: ${DEFAULT-VALUE}).")
    private int calls;

    /**
     * Returns the limits.
     *
     * @throws ParameterException if one is not positive
     */
    Capacity capacity(CommandLine command) {
        return new Capacity(
                positive(command, "--connections", connections),
                positive(command, "--threads", threads),
                positive(command, "--calls", calls));
    }

    private static int positive(CommandLine command, String option, int value) {
        if (value < 1) {
            throw new ParameterException(command, option + " must be at least 1, not " + value);
        }
        return value;
    }
}
