// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.emplace.benchmarks.load.Load;
import org.emplace.benchmarks.load.Operation;
import org.emplace.benchmarks.load.Outcome;
import org.emplace.benchmarks.load.Usage;

/**
 * The programs of perftest, which measure what a device does without anything above it. Stands for the work that an NFS server makes of a
 * procedure: NULL is a Send there and one back, READ the server's RDMA Writes, WRITE its RDMA Reads. Each run is two processes.
 */
public final class Perftest implements Subject {
    private static final int FIRST_PORT = 18515;
    private static final int TRIES = 3;
    private static final int PATIENCE_SECONDS = 120;
    /** Bytes of a Send: about as many as a NULL call and its reply have with their headers. */
    private static final int MESSAGE = 64;

    private final String name;
    private final String device;
    private final String host;
    private final boolean events;
    private int runs;

    /**
     * Starts nothing yet.
     *
     * @param name in tables
     * @param device the device's name
     * @param host its address
     * @param events whether it sleeps until there is a completion; else it polls. Only for NULL, as not all of the programs can
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
        double[] columns = run(command(load), load);
        return new Measured(load, outcome(load, columns), Usage.NOTHING);
    }

    private List<String> command(Load load) {
        String program = switch (load.operation()) {
            case NULL -> "ib_send_lat";
            case READ -> "ib_write_bw";
            case WRITE -> "ib_read_bw";
        };
        // Connections by rdma_cm, as iWARP needs it; the processors' frequencies may change; output line by line.
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

    /** Latencies are half of a round trip, in microseconds; bandwidths are in MiB a second. */
    private static Outcome outcome(Load load, double[] columns) {
        if (load.operation() == Operation.NULL) {
            long typical = Math.round(2 * columns[4] * 1e3);
            return new Outcome(typical * load.calls(), typical, Usage.NOTHING);
        }
        double seconds = load.calls() * (double) load.size() / (1 << 20) / columns[3];
        return new Outcome(Math.round(seconds * 1e9), 0, Usage.NOTHING);
    }

    /** The row of numbers that the client prints. */
    private double[] run(List<String> command, Load load) throws IOException, InterruptedException {
        Process server = start(command);
        try (BufferedReader said = server.inputReader(StandardCharsets.UTF_8)) {
            String line = said.readLine();
            while (line != null && !line.contains("Waiting for client")) {
                line = said.readLine();
            }
            List<String> asClient = new ArrayList<>(command);
            asClient.add(host);
            String output = "";
            for (int attempt = 0; attempt < TRIES; attempt++) {
                // It says that it waits a moment before it does.
                Thread.sleep(500);
                output = output(start(asClient));
                for (String row : output.lines().toList()) {
                    String[] words = row.trim().split("\\s+", -1);
                    if (words[0].equals(String.valueOf(size(load))) && words.length >= 5) {
                        return Stream.of(words).mapToDouble(Double::parseDouble).toArray();
                    }
                }
            }
            throw new IOException(String.join(" ", asClient) + " has measured nothing; it said:\n" + output);
        } finally {
            server.destroyForcibly().waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
        }
    }

    private static Process start(List<String> command) throws IOException {
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    private static String output(Process client) throws IOException, InterruptedException {
        if (!client.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            client.destroyForcibly();
        }
        try (BufferedReader said = client.inputReader(StandardCharsets.UTF_8)) {
            StringBuilder text = new StringBuilder();
            said.lines().forEach(line -> text.append(line).append('\n'));
            return text.toString();
        }
    }

    @Override
    public void close() {
        // Nothing of a run outlives it.
    }
}
