// SPDX-License-Identifier: Apache-2.0
package org.emplace;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.rpc.Failures.assertFails;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.RpcConnection;
import org.emplace.rpc.RpcException.Kind;
import org.emplace.rpc.RpcProgram;
import org.emplace.rpc.ServerCall;
import org.emplace.rpc.portmap.Rpcb;
import org.emplace.rpc.portmap.Rpcb4Client;
import org.emplace.rpc.portmap.Rpcb4Server;
import org.emplace.rpc.portmap.RpcblistEntry;
import org.emplace.rpc.recovery.RecoveringConnection;
import org.emplace.rpc.transport.RuntimeResources;
import org.emplace.rpc.transport.RuntimeResources.Settings;
import org.emplace.xdr.XdrString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients find a program's port by asking the rpcbind of its host. */
final class RpcbindQueryTest {
    private static final long PROGRAM = 100_003;

    private static final RpcProgram UNREGISTERED = RpcProgram.of("UNREGISTERED", 0x2fff_ffffL, 1);

    /** An rpcbind with fixed registrations of version 3, by netid. */
    private record FixedRpcbind(Map<String, String> addresses) implements Rpcb4Server {
        @Override
        public List<RpcblistEntry> dump(ServerCall call) {
            List<RpcblistEntry> all = new ArrayList<>();
            addresses.forEach((netid, address) -> {
                all.add(entry(PROGRAM + 1, 3, netid, "0.0.0.0.7.7"));
                all.add(entry(PROGRAM, 2, netid, "0.0.0.0.7.8"));
                all.add(entry(PROGRAM, 3, netid, address));
            });
            return all;
        }

        private static RpcblistEntry entry(long program, long version, String netid, String address) {
            return new RpcblistEntry(
                    new Rpcb(program, version, XdrString.of(netid), XdrString.of(address), XdrString.of("superuser")));
        }
    }

    private static URI locate(FixedRpcbind rpcbind, String address, long version) throws Exception {
        try (RpcServer server = serve(rpcbind)) {
            return new RpcbindQuery(RpcRuntime.shared(), address(server))
                    .locate(URI.create(address), RpcProgram.of("NFS", PROGRAM, version));
        }
    }

    private static RpcServer serve(FixedRpcbind rpcbind) throws Exception {
        return RpcServer.builder()
                .service(Rpcb4Server.service(rpcbind))
                .listen(URI.create("tcp://127.0.0.1:0"))
                .start();
    }

    private static URI address(RpcServer server) {
        return URI.create("tcp://127.0.0.1:" + server.addresses().get(0).getPort());
    }

    @Test
    void thePortIsThatOfTheTransport() throws Exception {
        FixedRpcbind rpcbind = new FixedRpcbind(
                Map.of("tcp", "0.0.0.0.8.1", "rdma", "127.0.0.1.78.81", "tcp6", "::.8.2", "rdma6", "fe80::1.78.82"));
        assertThat(locate(rpcbind, "tcp://127.0.0.1", 3)).hasToString("tcp://127.0.0.1:2049");
        assertThat(locate(rpcbind, "rdma://127.0.0.1", 3)).hasToString("rdma://127.0.0.1:20049");
        assertThat(locate(rpcbind, "tcp://[::1]", 3)).hasToString("tcp://[::1]:2050");
        assertThat(locate(rpcbind, "rdma://[::1]", 3)).hasToString("rdma://[::1]:20050");
    }

    @Test
    void aProgramThatIsNotRegisteredIsNamed() {
        FixedRpcbind rpcbind = new FixedRpcbind(Map.of("tcp", "0.0.0.0.8.1"));
        assertFails(() -> locate(rpcbind, "tcp://127.0.0.1", 4), Kind.PROGRAM_UNAVAILABLE)
                .hasMessageContaining("program 100003 version 4 is not registered for tcp");
        assertFails(() -> locate(rpcbind, "rdma://127.0.0.1", 3), Kind.PROGRAM_UNAVAILABLE)
                .hasMessageContaining("for rdma");
    }

    @ParameterizedTest
    @ValueSource(strings = {"7", "0.0.0.0.256.1", "0.0.0.0.-1.1", "0.0.0.0.0.0", "0.0.0.0.x.1", "..."})
    void anAnswerWithoutAUniversalAddressIsABadReply(String answer) {
        FixedRpcbind rpcbind = new FixedRpcbind(Map.of("tcp", answer));
        assertFails(() -> locate(rpcbind, "tcp://127.0.0.1", 3), Kind.BAD_REPLY)
                .hasMessageContaining("'" + answer + "'");
    }

    @Test
    void aClientConnectsToTheCurrentPortOfItsServer() throws Exception {
        RpcServer before = serve(new FixedRpcbind(Map.of()));
        AtomicReference<RpcServer> current = new AtomicReference<>(before);
        try (RpcServer after = serve(new FixedRpcbind(Map.of("tcp", "0.0.0.0.8.1")));
                RpcConnection client = new RecoveringConnection(
                        address(before),
                        former -> address(requireNonNull(current.get())),
                        RpcRuntime.shared().transport(address(before)),
                        ConnectionOptions.DEFAULT,
                        RuntimeResources.of(Settings.DEFAULT),
                        new Random())) {
            Rpcb4Client calls = Rpcb4Client.on(client);
            assertThat(calls.dump()).isEmpty();
            current.set(after);
            before.close();
            assertThat(calls.dump()).hasSize(3);
        }
    }

    /** On this host, nothing listens at port 111, or rpcbind does not know the program. */
    @Test
    void thePortOfTheBindingIsUsedIfRpcbindHasNone() throws Exception {
        RpcProgram bound = UNREGISTERED.withRdmaPort(20049);
        assertThat(Rpc.locate(URI.create("rdma://127.0.0.2"), bound)).hasToString("rdma://127.0.0.2:20049");
        assertThat(Rpc.locate(URI.create("rdma://127.0.0.2:7"), bound)).hasToString("rdma://127.0.0.2:7");
        assertFails(
                () -> Rpc.locate(URI.create("rdma://127.0.0.2"), UNREGISTERED),
                Kind.NOT_CONNECTED,
                Kind.PROGRAM_UNAVAILABLE);
    }

    @Test
    void thePortOfTheBindingIsUsedForRdmaOnly() {
        RpcProgram bound = UNREGISTERED.withRdmaPort(20049);
        assertFails(
                        () -> Rpc.locate(URI.create("tcp://127.0.0.2"), bound),
                        Kind.NOT_CONNECTED,
                        Kind.PROGRAM_UNAVAILABLE)
                .hasMessageStartingWith("tcp://127.0.0.2: the address has no port, and rpcbind gives none: ");
    }
}
