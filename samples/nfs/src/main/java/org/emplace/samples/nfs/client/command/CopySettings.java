// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.command;

import org.emplace.samples.nfs.client.CallStatistics;
import org.emplace.samples.nfs.client.StatisticsTable;
import picocli.CommandLine.Option;

/** The options that get and put share. */
final class CopySettings {

    @Option(names = "-r", description = "Also directories, with everything in them; symbolic links stay links.")
    private boolean recursive;

    @Option(
            names = {"-q", "--quiet"},
            description = "No progress line, which is otherwise shown on a terminal.")
    private boolean quiet;

    @Option(names = "--stats", description = "Afterwards print, for each procedure, what its calls moved and how.")
    private boolean statistics;

    /** Whether directories are copied. */
    boolean recursive() {
        return recursive;
    }

    /** Progress for a copy. */
    Progress progress(Failures failures) {
        return new Progress(failures, !quiet && Output.errorsGoToTerminal());
    }

    /** Prints the statistics, if they were asked for. */
    void print(CallStatistics calls) {
        if (statistics) {
            System.out.print(StatisticsTable.of(calls));
            System.out.flush();
        }
    }
}
