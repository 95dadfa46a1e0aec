// SPDX-License-Identifier: Apache-2.0
package org.emplace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.emplace.rpc.RpcException;
import org.emplace.rpc.RpcProgram;
import org.emplace.rpc.ServerCall;
import org.emplace.rpc.portmap.Rpcb;
import org.emplace.rpc.portmap.Rpcb4Server;
import org.emplace.xdr.XdrString;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Servers register their programs with rpcbind, and remove the registration. */
final class RpcbindRegistrationTest {
    private static final RpcProgram PROGRAM = RpcProgram.of("NFS_PROGRAM", 100_003, 3);

    private final List<String> entries = new CopyOnWriteArrayList<>();
    private volatile XdrString refused = XdrString.of("");

    @AutoClose
    private final RpcServer rpcbind = RpcServer.builder()
            .service(Rpcb4Server.service(new Rpcbind()))
            .listen(URI.create("tcp://127.0.0.1:0"))
            .start();

    RpcbindRegistrationTest() throws RpcException {}

    /** An rpcbind that stores its entries as text. */
    private final class Rpcbind implements Rpcb4Server {
        @Override
        public boolean set(Rpcb map, ServerCall call) {
            if (map.rNetid().equals(refused)) {
                throw new IllegalStateException("this entry fails");
            }
            return entries.add(map.rProg() + " " + map.rVers() + " " + map.rNetid() + " " + map.rAddr());
        }

        @Override
        public boolean unset(Rpcb map, ServerCall call) {
            String entry = map.rProg() + " " + map.rVers() + " " + map.rNetid() + " ";
            return entries.removeIf(each -> each.startsWith(entry));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "rdma, 127.0.0.1, 100003 3 rdma 127.0.0.1.78.81",
        "tcp, 127.0.0.1, 100003 3 tcp 127.0.0.1.78.81",
        "rdma, ::1, 100003 3 rdma6 0:0:0:0:0:0:0:1.78.81",
        "tcp, ::1, 100003 3 tcp6 0:0:0:0:0:0:0:1.78.81"
    })
    void theNetidIsThatOfTransportAndAddress(String transport, String host, String entry) throws Exception {
        RpcbindRegistration registration = register(transport, new InetSocketAddress(host, 20049));

        assertThat(entries).containsExactly(entry);
        registration.close();
        assertThat(entries).isEmpty();
    }

    /** A Java socket that is bound to 0.0.0.0 has this address, too. */
    @Test
    void aServerAtAllAddressesIsRegisteredForIPv4AndIPv6() throws Exception {
        RpcbindRegistration registration = register("rdma", new InetSocketAddress("::", 20049));

        assertThat(entries)
                .containsExactlyInAnyOrder("100003 3 rdma6 0:0:0:0:0:0:0:0.78.81", "100003 3 rdma 0.0.0.0.78.81");
        registration.close();
        assertThat(entries).isEmpty();
    }

    @Test
    void ifOneRegistrationFailsNoneIsLeft() {
        refused = XdrString.of("rdma");

        assertThatThrownBy(() -> register("rdma", new InetSocketAddress("::", 20049)))
                .isInstanceOf(RpcException.class);
        assertThat(entries).isEmpty();
    }

    private RpcbindRegistration register(String transport, InetSocketAddress served) throws Exception {
        int port = rpcbind.addresses().get(0).getPort();
        return RpcbindRegistration.of(
                List.of(new RpcbindRegistration.Entry(PROGRAM, transport, served)),
                URI.create("tcp://127.0.0.1:" + port));
    }
}
