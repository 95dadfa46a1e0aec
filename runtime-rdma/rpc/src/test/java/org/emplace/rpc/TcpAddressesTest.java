// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.rpc.EchoProgram.echo;
import static org.emplace.rpc.Failures.assertFails;

import java.net.Inet6Address;
import java.net.NetworkInterface;
import java.net.URI;
import org.emplace.Rpc;
import org.emplace.RpcServer;
import org.emplace.rpc.RpcException.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The addresses that can be served and connected to, and the errors for others. */
@Timeout(60)
final class TcpAddressesTest {
    @Test
    void ipv6IsServedIfTheMachineSupportsIt() throws Exception {
        URI six = URI.create("tcp://[::1]:0");
        boolean available = NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .anyMatch(address -> address instanceof Inet6Address && address.isLoopbackAddress());
        if (!available) {
            assertFails(() -> RpcServer.builder().listen(six).start(), Kind.NOT_CONNECTED)
                    .hasMessageStartingWith("tcp://[::1]:0: cannot listen: ");
            return;
        }
        try (RpcServer server = RpcServer.builder()
                        .service(EchoProgram.service())
                        .listen(six)
                        .start();
                RpcConnection caller = Rpc.connect(
                        URI.create("tcp://[::1]:" + server.addresses().get(0).getPort()))) {
            assertThat(echo(caller, 6)).isEqualTo(6);
        }
    }

    @Test
    void aClosedPortIsReportedInOneLineWithTheAddress() throws Exception {
        RpcServer server = Loopback.serve(EchoProgram.service());
        int port = server.addresses().get(0).getPort();
        server.close();

        assertFails(() -> Rpc.connect(URI.create("tcp://127.0.0.1:" + port)), Kind.NOT_CONNECTED)
                .hasMessage("tcp://127.0.0.1:" + port + ": cannot connect: Connection refused");
    }

    @Test
    void anUnknownSchemeIsReportedWithTheKnownOnes() {
        assertFails(() -> Rpc.connect(URI.create("carrier-pigeon://x:1")), Kind.NOT_CONNECTED)
                .hasMessageContaining("carrier-pigeon")
                .hasMessageContaining("tcp");
    }

    @Test
    void aUsedAddressCannotBeServed() throws Exception {
        try (RpcServer server = Loopback.serve(EchoProgram.service())) {
            URI used = URI.create("tcp://127.0.0.1:" + server.addresses().get(0).getPort());

            assertFails(() -> RpcServer.builder().listen(used).start(), Kind.NOT_CONNECTED)
                    .hasMessageContaining("cannot listen");
        }
    }
}
