// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.emplace.rdma.ConnectionParameters;
import org.emplace.rdma.ConnectionParameters.PrivateData;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaProvider;
import org.emplace.rdma.contract.RecordingHandler;
import org.emplace.reactor.EventLoop;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The messages for IPv6 addresses without IPv6: in a JVM of its own that uses IPv4 only. */
@Timeout(60)
final class NoIpv6Test {

    @Test
    void whatIsMissingIsNamed() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Djava.net.preferIPv4Stack=true",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        Stream.of(
                                        NoIpv6Test.class,
                                        RecordingHandler.class,
                                        IwarpProvider.class,
                                        RdmaProvider.class,
                                        EventLoop.class)
                                .map(NoIpv6Test::classes)
                                .collect(Collectors.joining(File.pathSeparator)),
                        NoIpv6Test.class.getName())
                .redirectErrorStream(true)
                .start();
        try {
            assertThat(process.inputReader().lines())
                    .containsExactly(
                            "iwarp: cannot listen on /[0:0:0:0:0:0:0:1]:0: this machine has no IPv6",
                            "iwarp to /[0:0:0:0:0:0:0:1]:1: cannot connect: this machine has no IPv6");
        } finally {
            process.destroyForcibly();
        }
    }

    private static String classes(Class<?> type) {
        return type.getProtectionDomain().getCodeSource().getLocation().getPath();
    }

    public static void main(String[] arguments) throws Exception {
        InetAddress six = InetAddress.getByAddress(new byte[] {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1});
        try (IwarpProvider provider = IwarpProvider.open(IwarpOptions.DEFAULTS)) {
            try {
                provider.listen(new InetSocketAddress(six, 0), request -> {});
            } catch (RdmaException refused) {
                System.out.println(refused.getMessage());
            }
            ConnectionParameters parameters =
                    new ConnectionParameters(PrivateData.of(new byte[0]), 1, 1, List.of(), Duration.ofSeconds(20));
            System.out.println(provider.connect(new InetSocketAddress(six, 1), parameters, new RecordingHandler())
                    .handle((connected, refused) ->
                            Objects.requireNonNull(refused.getCause()).getMessage())
                    .toCompletableFuture()
                    .get(20, TimeUnit.SECONDS));
        }
    }
}
