// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.emplace.benchmarks.load.Latency;
import org.emplace.benchmarks.load.Load;
import org.emplace.benchmarks.load.Load.Operation;
import org.emplace.benchmarks.load.Outcome;
import org.emplace.benchmarks.load.Usage;

/**
 * The programs of perftest, which measure the device alone. They do the transfers of an NFS server's procedures: for NULL a Send in each direction,
 * for READ the server's RDMA Writes, for WRITE its RDMA Reads. Each run has two processes.
 */
public final class Perftest implements Subject {
    private static final int FIRST_PORT = 18515;
    private static final int TRIES = 3;
    private static final int TIMEOUT_SECONDS = 40;

    /** A number above 0. After a short run, the programs may print "inf" or a bandwidth of 0 instead. */
    private static final Pattern MEASURED = Pattern.compile("(?!0*\\.0*$)[0-9]+\\.[0-9]+");

    /** Length of a Send in bytes, similar to a NULL call and its reply with headers. */
    private static final int MESSAGE = 64;

    private final String name;
    private final String device;
    private final String host;
    private final boolean events;
    private int runs;

    /**
     * Creates the subject; starts nothing.
     *
     * @param name in tables
     * @param device the device's name
     * @param host the device's address
     * @param events whether to sleep until there is a completion event instead of polling; only for NULL, because not all programs support it
     */
    public Perftest(String name, String device, String host, boolean events) {
        this.name = name;
        this.device = device;
        this.host = host;
        this.events = events;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public boolean takes(Load load) {
        return load.operation() == Operation.NULL || (!events && !load.isOneAtATime());
    }

    @Override
    public boolean warmsUp() {
        return false;
    }

    @Override
    public Measured measure(Load load) throws IOException, InterruptedException {
        return new Measured(load, outcome(load, run(command(load), load)), Usage.NOTHING);
    }

    private List<String> command(Load load) {
        String program = switch (load.operation()) {
            case NULL -> "ib_send_lat";
            case READ -> "ib_write_bw";
            case WRITE -> "ib_read_bw";
        };
        // -R: rdma_cm, as iWARP requires. -F: processor frequencies may change. stdbuf: output line by line.
        List<String> command = new ArrayList<>(List.of("stdbuf", "-oL", program, "-R", "-F", "-d", device));
        command.addAll(List.of("-s", String.valueOf(size(load)), "-n", String.valueOf(load.calls())));
        if (!load.isOneAtATime()) {
            command.addAll(List.of("-t", String.valueOf(load.inFlight())));
        }
        if (events) {
            command.add("-e");
        }
        command.addAll(List.of("-p", String.valueOf(FIRST_PORT + runs++ % 1000)));
        return command;
    }

    private static int size(Load load) {
        return load.operation() == Operation.NULL ? MESSAGE : load.size();
    }

    private static Outcome outcome(Load load, double measured) {
        if (load.operation() == Operation.NULL) {
            long typical = Math.round(2 * measured * 1e3);
            return new Outcome(typical * load.calls(), new Latency(typical, 0, 0, 0), Usage.NOTHING);
        }
        double seconds = load.calls() * (double) load.size() / (1 << 20) / measured;
        return new Outcome(Math.round(seconds * 1e9), Latency.UNKNOWN, Usage.NOTHING);
    }

    /** Runs both processes. If they do not connect, do not end or print no result, starts again. */
    private double run(List<String> command, Load load) throws IOException, InterruptedException {
        String output = "";
        for (int attempt = 0; attempt < TRIES; attempt++) {
            output = clientOutput(command);
            for (String row : output.lines().toList()) {
                String[] words = row.trim().split("\\s+", -1);
                int column = column(load);
                if (words[0].equals(String.valueOf(size(load)))
                        && words.length > column
                        && MEASURED.matcher(words[column]).matches()) {
                    return Double.parseDouble(words[column]);
                }
            }
        }
        throw new IOException(String.join(" ", command) + " has measured nothing; the client said:\n" + output);
    }

    /** The result's column in the client's output: half of a typical round trip in µs, or the average bandwidth in MiB/s. */
    private static int column(Load load) {
        return load.operation() == Operation.NULL ? 4 : 3;
    }

    /** Starts a server and a client. Returns the client's output, at the latest when the time limit is reached. */
    private String clientOutput(List<String> command) throws IOException, InterruptedException {
        Path output = Files.createTempFile("perftest", ".out");
        Process server = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (BufferedReader said = server.inputReader(StandardCharsets.UTF_8)) {
            String line = said.readLine();
            while (line != null && !line.contains("Waiting for client")) {
                line = said.readLine();
            }
            // The server reports that it waits a moment before it listens.
            Thread.sleep(500);
            List<String> asClient = new ArrayList<>(command);
            asClient.add(host);
            Process client = new ProcessBuilder(asClient)
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            if (!client.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                client.destroyForcibly().waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS);
            }
            return Files.readString(output);
        } finally {
            server.destroyForcibly().waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS);
            Files.delete(output);
        }
    }

    @Override
    public void close() {
        // No process outlives its run.
    }
}
