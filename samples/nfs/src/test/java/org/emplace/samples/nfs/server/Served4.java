// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.emplace.Rpc;
import org.emplace.samples.nfs.server.NfsServer.Capacity;
import org.emplace.samples.nfs.server.NfsServer.Protocols;
import org.emplace.samples.nfs.server.NfsServer.Version;
import org.emplace.samples.nfs.server.export.ExportDefinition;
import org.emplace.samples.nfs.server.export.Exports;

/** Two directories, and a server of versions 3, 4.1 and 4.2 for them, over TCP and software iWARP. */
final class Served4 implements AutoCloseable {
    /** The parent of the first export, and nothing else. */
    final Path above;

    /** An export. */
    final Path first;

    private final boolean delegations;
    private Path state;
    private List<ExportDefinition> definitions;
    private NfsServer server;

    /** @param temporary empty */
    Served4(Path temporary) throws IOException {
        this(temporary, false);
    }

    /** @param delegations whether clients get delegations */
    Served4(Path temporary, boolean delegations) throws IOException {
        this.delegations = delegations;
        above = Files.createDirectory(temporary.resolve("above")).toRealPath();
        first = Files.createDirectory(above.resolve("first"));
        Path second = Files.createDirectory(temporary.resolve("second"));
        state = temporary.resolve("state");
        definitions = List.of(
                ExportDefinition.forEverybody(first, Served.OPEN), ExportDefinition.forEverybody(second, Served.OPEN));
        server = start();
    }

    private NfsServer start() throws IOException {
        Exports exports =
                Exports.open(definitions, state, StoreKind.ofThisSystem().opener(definitions.size()));
        return NfsServer.start(
                exports,
                List.of(URI.create("tcp://127.0.0.1:0"), URI.create("rdma://127.0.0.1:0")),
                Capacity.DEFAULT.withConnections(16),
                Protocols.DEFAULT.withVersions(Set.of(Version.values())).withDelegations(delegations));
    }

    /** Starts the server again with another export. */
    void restart(ExportDefinition only) throws IOException {
        server.close();
        definitions = List.of(only);
        server = start();
    }

    /** Starts the server again with the state folder as it is now, before the server ends. */
    void crash() throws IOException {
        Path copy = state.resolveSibling(state.getFileName() + "-copy");
        try (Stream<Path> all = Files.walk(state)) {
            for (Path each : (Iterable<Path>) all::iterator) {
                Files.copy(each, copy.resolve(state.relativize(each)), StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
        server.close();
        state = copy;
        server = start();
    }

    /** Content of a file. */
    static byte[] bytes(int length, int seed) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    Client4 client(String transport, String name) throws IOException, InterruptedException {
        return new Client4(address(transport), name);
    }

    Client4 client(String transport, String name, int minorVersion) throws IOException, InterruptedException {
        return new Client4(Rpc.connect(address(transport)), name, true, minorVersion);
    }

    URI address(String transport) {
        return server.addresses().get(transport.equals("tcp") ? 0 : 1);
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
