// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.awaitility.Awaitility;
import org.emplace.Rpc;
import org.emplace.rpc.RpcConnection;
import org.emplace.samples.nfs.protocol.Lookup3Args;
import org.emplace.samples.nfs.protocol.Mount3Client;
import org.emplace.samples.nfs.protocol.Mountres3;
import org.emplace.samples.nfs.protocol.Nfs3Client;
import org.emplace.samples.nfs.protocol.NfsFh3;
import org.emplace.samples.nfs.server.NfsServer.Capacity;
import org.emplace.samples.nfs.server.NfsServer.Protocols;
import org.emplace.samples.nfs.server.export.ExportDefinition;
import org.emplace.samples.nfs.server.export.Exports;
import org.emplace.samples.nfs.server.status.ServerStatistics;
import org.emplace.samples.nfs.server.status.StatusServer;
import org.emplace.xdr.XdrString;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server's statistics and its page after calls of clients. */
@Timeout(60)
final class ObservedServerTest {
    @TempDir
    private Path temporary;

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "rdma"})
    void callsAreShownAndNoNames(String scheme) throws Exception {
        ExportDefinition export =
                ExportDefinition.forEverybody(Files.createDirectory(temporary.resolve("secret-export")), Served.OPEN);
        Exports exports = Exports.open(List.of(export), temporary.resolve("state"), StoreKind.NIO.opener(1));
        ServerStatistics statistics = new ServerStatistics();
        try (NfsServer server = NfsServer.start(
                        exports,
                        List.of(URI.create(scheme + "://127.0.0.1:0")),
                        Capacity.DEFAULT.withConnections(8),
                        Protocols.DEFAULT,
                        statistics);
                StatusServer page = StatusServer.start(0, statistics, server::load);
                RpcConnection connection = Rpc.connect(server.addresses().get(0))) {
            lookUp(connection, export.directory());
            Awaitility.await().until(() -> statistics.table().contains("LOOKUP  "));
            assertThat(statistics.table()).containsPattern("LOOKUP +1 +0 +1 ").containsPattern("MNT +1 +0 +0 ");
            assertThat(server.load().connections()).isEqualTo(1);
            for (String path : List.of("", "status.json")) {
                assertThat(get(page.address() + path)).contains("LOOKUP").doesNotContain("secret");
            }
        }
    }

    private static void lookUp(RpcConnection connection, Path directory) throws Exception {
        Mountres3 mounted = Mount3Client.on(connection).mnt(XdrString.of(directory.toString()));
        NfsFh3 root = new NfsFh3(((Mountres3.Mnt3Ok) mounted).mountinfo().fhandle());
        Nfs3Client.on(connection).lookup(new Lookup3Args(Served.in(root, "secret-file")));
    }

    private static String get(String address) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(address)).build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.ofString())
                .body();
    }
}
