// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.command;

import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.net.URI;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.emplace.rpc.ServerLoad;
import org.emplace.samples.nfs.server.status.ServerStatistics;
import org.emplace.samples.nfs.server.status.StatusServer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options for the server's statistics and status page. */
final class StatusSettings {
    /** The value of {@code --stats} without a number: prints the table only at the end. */
    private static final String AT_END = "0";

    @Option(
            names = "--stats",
            arity = "0..1",
            fallbackValue = AT_END,
            paramLabel = "SECONDS",
            description =
                    "Print a table of the calls by procedure on standard error when the server ends and, if SECONDS is"
                            + " given, at this interval.")
    private @Nullable Integer seconds;

    @Option(
            names = "--status-port",
            paramLabel = "N",
            description =
                    "Serve a web page with plots of the last ten minutes on this TCP port of 127.0.0.1, for browsers"
                            + " on this machine.")
    private @Nullable Integer port;

    private final ServerStatistics statistics = new ServerStatistics();
    private @Nullable StatusServer page;
    private @Nullable ScheduledExecutorService printer;

    /** Checks the values. */
    void check(CommandLine command) {
        if (seconds != null && seconds < 0) {
            throw new ParameterException(command, "--stats needs a number of seconds, not " + seconds);
        }
        if (port != null && (port < 0 || port > 65535)) {
            throw new ParameterException(command, "port " + port + " is not in 0 to 65535");
        }
    }

    /** Whether an option needs {@link #statistics}. */
    boolean isWanted() {
        return seconds != null || port != null;
    }

    /** The statistics of the server's calls. */
    ServerStatistics statistics() {
        return statistics;
    }

    /**
     * Starts the page and the periodic table, if their options are given.
     *
     * @param err receives the table
     * @return the address of the page
     */
    Optional<URI> start(Supplier<ServerLoad> load, PrintWriter err) throws IOException {
        if (seconds != null && seconds > 0) {
            printer = Executors.newSingleThreadScheduledExecutor(work -> {
                Thread thread = new Thread(work, "nfs-server-stats");
                thread.setDaemon(true);
                return thread;
            });
            Future<?> unused = printer.scheduleAtFixedRate(() -> print(err), seconds, seconds, TimeUnit.SECONDS);
        }
        if (port == null) {
            return Optional.empty();
        }
        page = StatusServer.start(port, statistics, load);
        return Optional.of(page.address());
    }

    private void print(PrintWriter err) {
        err.println(statistics.table());
        err.flush();
    }

    /** Stops the page, and prints the table if its option is given. */
    void close(PrintStream err) {
        if (page != null) {
            page.close();
        }
        if (printer != null) {
            printer.shutdownNow();
        }
        if (seconds != null) {
            err.print(statistics.table());
            err.flush();
        }
    }
}
