// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.command;

import java.io.IOException;
import java.util.Set;
import org.emplace.samples.nfs.client.copy.TreeCopy;
import picocli.CommandLine.Option;

/** The options that cp and sync share. */
final class CopySettings {

    @Option(
            names = {"-q", "--quiet"},
            description = "Do not show progress on the terminal.")
    private boolean quiet;

    @Option(names = "--stats", description = "At the end, print calls and bytes by procedure and chunk type.")
    private boolean statistics;

    /** The copy to make. */
    @FunctionalInterface
    interface Copies {
        /** Copies it. */
        void make(TreeCopy copy, Mounts mounts, Failures failures) throws IOException, InterruptedException;
    }

    /** Copies, with progress and statistics as the options say. Returns the exit status. */
    int run(String command, MountSettings settings, Set<TreeCopy.Option> options, Copies copies)
            throws IOException, InterruptedException {
        Failures failures = new Failures(command);
        CallStatistics calls = new CallStatistics();
        try (Mounts mounts = new Mounts(settings, calls);
                Progress progress = new Progress(failures, !quiet && Output.errorsGoToTerminal());
                TreeCopy copy = new TreeCopy(progress, options)) {
            copies.make(copy, mounts, failures);
        }
        if (statistics) {
            System.out.print(calls.table());
            System.out.flush();
        }
        return failures.exitStatus();
    }
}
