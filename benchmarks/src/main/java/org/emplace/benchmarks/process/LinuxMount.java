// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.process;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.emplace.benchmarks.client.ClientProgram;
import org.emplace.benchmarks.load.Load;
import org.emplace.benchmarks.load.Load.Operation;
import org.emplace.benchmarks.load.Outcome;
import org.emplace.benchmarks.load.Usage;

/**
 * Linux's own NFS client and server: a JVM reads and writes a file in a directory that the client has mounted from the server, with O_DIRECT, on
 * several threads. The resources that the kernel uses are unknown.
 */
public final class LinuxMount implements Subject {
    private final String name;
    private final LineProgram client;

    private LinuxMount(String name, LineProgram client) {
        this.name = name;
        this.client = client;
    }

    /**
     * Creates the file and opens it.
     *
     * @param name in tables
     * @param directory where the file is created; it is not deleted
     * @param options for the JVM
     */
    public static LinuxMount start(String name, Path directory, List<String> options)
            throws IOException, InterruptedException {
        String file = directory.resolve("benchmark").toUri().toString();
        LineProgram client = LineProgram.java(ClientProgram.class, List.of(), options, file);
        client.answer();
        return new LinuxMount(name, client);
    }

    @Override
    public String name() {
        return name;
    }

    /** A mounted file has no equivalent of NULL. */
    @Override
    public boolean takes(Load load) {
        return load.operation() != Operation.NULL;
    }

    @Override
    public boolean warmsUp() {
        return false;
    }

    @Override
    public Measured measure(Load load) throws IOException, InterruptedException {
        return new Measured(load, Outcome.parse(client.ask(load.toLine())), Usage.NOTHING);
    }

    @Override
    public void close() throws IOException {
        client.close();
    }
}
