// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.awaitility.Awaitility;
import org.emplace.rdma.MemoryRegion;
import org.emplace.rdma.RdmaProvider;
import org.emplace.rdma.RemoteAccess;
import org.emplace.rdma.RemoteAccess.Right;
import org.emplace.rdma.WorkRequest;
import org.emplace.rdma.WorkRequest.Completion.Operation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A provider releases the system's resources. */
final class ResourceReleaseTest {
    private static final String COUNTERS = "org.emplace.rdma.Counters";

    @TempDir
    Path folder;

    @Test
    void aHundredConnectionsLeaveNothingBehind() throws Exception {
        try (Pair pair = Pair.connected()) {
            use(pair, 5);
            Held before = Held.now();
            long registered = bytesHeld(pair);
            use(pair, 100);
            for (Side side : List.of(pair.initiator, pair.responder)) {
                assertThat(side.provider.statistics().connections()).isEqualTo(1);
                assertThat(side.provider.statistics().accessesOpen()).isZero();
            }
            assertThat(bytesHeld(pair)).isEqualTo(registered);
            assertNoMoreThan(before);
        }
    }

    @Test
    void closedProvidersLeaveNothingBehind() throws Exception {
        useAndClose();
        Held before = Held.now();
        for (int i = 0; i < 10; i++) {
            useAndClose();
        }
        assertNoMoreThan(before);
    }

    @Test
    void regionsLeaveNothingBehind() throws Exception {
        try (RdmaProvider provider = ProviderUnderTest.CHOSEN.open()) {
            Side side = new Side(provider, new RecordingHandler());
            side.region(1 << 20).close();
            Held before = Held.now();
            for (int i = 0; i < 100; i++) {
                side.region(1 << 20).close();
            }
            assertNoMoreThan(before);
        }
    }

    @Test
    void aHundredConnectionsAreOpenAtOnce() throws Exception {
        try (Pair pair = Pair.connected()) {
            List<Pair> pairs = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                pairs.add(pair.another());
            }
            for (Pair each : pairs) {
                each.greet();
            }
        }
    }

    @Test
    void aProviderReportsItsCountersUntilItIsClosed() throws Exception {
        long ofOthers = reports();
        RdmaProvider provider = ProviderUnderTest.CHOSEN.open();
        assertThat(reports()).isEqualTo(ofOthers + 1);

        provider.close();

        assertThat(reports()).isEqualTo(ofOthers);
    }

    /** How many providers report at the end of a recording. */
    private long reports() throws IOException {
        Path file = folder.resolve("counters.jfr");
        try (Recording recording = new Recording()) {
            recording.enable(COUNTERS).with("period", "endChunk");
            recording.start();
            recording.stop();
            recording.dump(file);
        }
        return RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().equals(COUNTERS))
                .count();
    }

    /** Opens connections one after the other, and uses and closes each. */
    private static void use(Pair pair, int connections) throws Exception {
        for (int i = 0; i < connections; i++) {
            Pair other = pair.another();
            MemoryRegion source = other.initiator.noise(5000);
            MemoryRegion target = other.responder.region(5000);
            RemoteAccess access = other.responder.expose(target, Right.REMOTE_WRITE);
            other.initiator.post(
                    new WorkRequest.Write(1, List.of(source.segment(0, 5000)), access.advertised()),
                    Side.send(2, source, 10));
            assertThat(other.responder.handler.next().operation()).isEqualTo(Operation.RECEIVE);
            assertThat(target.buffer()).isEqualTo(source.buffer());
            (i % 2 == 0 ? other.initiator : other.responder).queuePair().close();
            other.initiator.handler.end();
            other.responder.handler.end();
            source.close();
            target.close();
            other.initiator.receives.close();
            other.responder.receives.close();
        }
    }

    private static long bytesHeld(Pair pair) {
        return pair.initiator.provider.statistics().bytesHeld()
                + pair.responder.provider.statistics().bytesHeld();
    }

    private static void useAndClose() throws Exception {
        try (Pair pair = Pair.connected()) {
            pair.greet();
        }
    }

    /** Resources may be released with some delay. */
    private static void assertNoMoreThan(Held before) {
        Awaitility.await()
                .pollInSameThread()
                .atMost(Duration.ofSeconds(RecordingHandler.TIMEOUT_SECONDS))
                .untilAsserted(() -> {
                    Held now = Held.now();
                    assertThat(now.descriptors).as("open descriptors").isLessThanOrEqualTo(before.descriptors);
                    assertThat(now.pinnedKib).as("KiB pinned").isLessThanOrEqualTo(before.pinnedKib);
                    assertThat(now.threads).as("threads").isLessThanOrEqualTo(before.threads);
                });
    }

    /** The resources that this process holds, according to proc(5). */
    private record Held(long descriptors, long pinnedKib, int threads) {

        static Held now() throws IOException {
            try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"));
                    Stream<String> status = Files.lines(Path.of("/proc/self/status"))) {
                long pinnedKib = status.filter(line -> line.startsWith("VmPin:"))
                        .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
                        .sum();
                return new Held(
                        descriptors.count(),
                        pinnedKib,
                        Thread.getAllStackTraces().size());
            }
        }
    }
}
