// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.rpc.EchoProgram.echo;
import static org.emplace.rpc.Failures.assertFails;

import java.net.Inet6Address;
import java.net.NetworkInterface;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.emplace.Rpc;
import org.emplace.RpcServer;
import org.emplace.rpc.RpcException.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

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

    /** Calls a server by names that a file of hosts gives the addresses of, in a JVM of its own, which reads such a file when it starts. */
    @Test
    void anyAddressOfAHostAndAnyNameOfItWillDo(@TempDir Path temporary) throws Exception {
        Path hosts = Files.writeString(
                temporary.resolve("hosts"), "127.0.0.1 file_server\n127.0.0.9 twice\n127.0.0.1 twice\n");
        try (RpcServer server = Loopback.serve(EchoProgram.service())) {
            Process process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:TieredStopAtLevel=1",
                            "-Djdk.net.hosts.file=" + hosts,
                            "-cp",
                            System.getProperty("java.class.path"),
                            TcpAddressesTest.class.getName(),
                            String.valueOf(server.addresses().get(0).getPort()))
                    .redirectErrorStream(true)
                    .start();
            try {
                assertThat(process.inputReader().lines())
                        .containsExactly(
                                "file_server 7",
                                "twice 7",
                                "a host's name that nobody has: tcp://no_body:1: unknown host");
            } finally {
                process.destroyForcibly();
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        for (String host : List.of("file_server", "twice")) {
            try (RpcConnection caller = Rpc.connect(URI.create("tcp://" + host + ":" + arguments[0]))) {
                System.out.println(host + " " + echo(caller, 7));
            }
        }
        try {
            Rpc.connect(URI.create("tcp://no_body:1"));
        } catch (RpcException unknown) {
            System.out.println("a host's name that nobody has: " + unknown.getMessage());
        }
    }
}
