// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.emplace.samples.nfs.server.NfsServer;
import org.emplace.samples.nfs.server.NfsServer.Capacity;
import org.emplace.samples.nfs.server.StoreKind;
import org.emplace.samples.nfs.server.export.ExportDefinition;
import org.emplace.samples.nfs.server.export.ExportOptions;
import org.emplace.samples.nfs.server.export.Exports;
import org.emplace.samples.nfs.server.export.Exports.StoreOpener;

/** A directory, a server of it on loopback, and the command for working with it. */
public final class ServedExport implements AutoCloseable {
    /** The exported directory. */
    public final Path directory;

    private final String protocol;
    private final NfsServer server;

    /** @param temporary the parent of the directory, and of the server's state */
    public ServedExport(String protocol, Path temporary) throws IOException {
        this(protocol, temporary, StoreKind.ofThisSystem().opener(1));
    }

    /**
     * An export in a store of the test's.
     *
     * @param nested directories in it that are exports of their own
     */
    public ServedExport(String protocol, Path temporary, StoreOpener stores, String... nested) throws IOException {
        this.protocol = protocol;
        directory = Files.createDirectory(temporary.resolve("export"));
        ExportOptions options =
                ExportOptions.DEFAULT.withReadOnly(false).withSquashRoot(false).withDeferred(true);
        List<ExportDefinition> definitions =
                new ArrayList<>(List.of(ExportDefinition.forEverybody(directory, options)));
        for (String name : nested) {
            definitions.add(ExportDefinition.forEverybody(Files.createDirectories(directory.resolve(name)), options));
        }
        Exports exports = Exports.open(definitions, temporary.resolve("state"), stores);
        server = NfsServer.start(
                exports,
                List.of(URI.create(protocol + "://127.0.0.1:0"), URI.create("tcp://127.0.0.1:0")),
                Capacity.DEFAULT.withConnections(64));
    }

    /** Pseudo-random bytes that depend only on the length. */
    public static byte[] randomBytes(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    /** The output and the exit status of a run of the command. */
    record Outcome(int status, String output, String errors) {}

    /** The server's port. */
    int port() {
        return server.addresses().get(0).getPort();
    }

    /** The port of MOUNT, and of NFS over TCP. */
    int mountPort() {
        return server.addresses().get(1).getPort();
    }

    /** The URL of a path in the export. */
    String url(String path) {
        return url(port(), path);
    }

    /** The URL of a path in the export, by way of a proxy. */
    String url(int port, String path) {
        return "nfs://127.0.0.1:" + port + directory + path;
    }

    /** The URI of the export as a file system. */
    public URI fileSystem() {
        return URI.create(url("/?proto=" + protocol + "&mountport=" + mountPort()));
    }

    /** A subcommand with the options for this server. */
    List<String> commandLine(String command, String... arguments) {
        List<String> line = new ArrayList<>(List.of(command, "--proto", protocol, "--mount-port"));
        line.add(Integer.toString(mountPort()));
        line.addAll(Arrays.asList(arguments));
        return line;
    }

    /** Runs a subcommand against the server. */
    Outcome run(String command, String... arguments) {
        return runAlone(commandLine(command, arguments).toArray(String[]::new));
    }

    /** Runs a subcommand, which succeeds and prints nothing. */
    void runSilently(String command, String... arguments) {
        assertThat(run(command, arguments)).isEqualTo(new Outcome(0, "", ""));
    }

    /** Runs the command with exactly these arguments. */
    static Outcome runAlone(String... commandLine) {
        PrintStream output = System.out;
        PrintStream errors = System.err;
        ByteArrayOutputStream outputBytes = new ByteArrayOutputStream();
        ByteArrayOutputStream errorBytes = new ByteArrayOutputStream();
        System.setOut(new PrintStream(outputBytes, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(errorBytes, true, StandardCharsets.UTF_8));
        try {
            int status = Nfs.run(commandLine);
            return new Outcome(
                    status, outputBytes.toString(StandardCharsets.UTF_8), errorBytes.toString(StandardCharsets.UTF_8));
        } finally {
            System.setOut(output);
            System.setErr(errors);
        }
    }

    /** The command in a process of its own. */
    static ProcessBuilder start(List<String> commandLine) {
        return java(Nfs.class, commandLine).inheritIO();
    }

    /** A program of the test's class path in a process of its own. */
    static ProcessBuilder java(Class<?> main, List<String> arguments) {
        List<String> line = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        line.addAll(arguments);
        return new ProcessBuilder(line);
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
