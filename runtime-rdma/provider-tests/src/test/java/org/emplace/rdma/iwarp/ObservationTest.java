// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.emplace.rdma.MemoryRegion;
import org.emplace.rdma.RdmaProvider.Statistics;
import org.emplace.rdma.RdmaProvider.Statistics.Work;
import org.emplace.rdma.RemoteAccess;
import org.emplace.rdma.RemoteAccess.RemoteSegment;
import org.emplace.rdma.RemoteAccess.Right;
import org.emplace.rdma.WorkRequest;
import org.emplace.rdma.WorkRequest.Completion;
import org.emplace.rdma.WorkRequest.Completion.Operation;
import org.emplace.rdma.WorkRequest.Completion.Status;
import org.emplace.rdma.contract.Pair;
import org.emplace.rdma.contract.Side;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A provider's counters and flight recorder events for a Send, a Write, a Read and a Read that the peer refuses. */
final class ObservationTest {
    private static final int RECEIVES_REGISTERED = Side.RECEIVES * Side.RECEIVE_SIZE;

    @TempDir
    Path folder;

    @Test
    void countersSayWhatWasDoneAndWhatIsHeld() throws Exception {
        try (Pair pair = Pair.connected(() -> IwarpProvider.open(IwarpOptions.DEFAULTS))) {
            MemoryRegion memory = exchange(pair);

            Statistics initiator = pair.initiator.provider.statistics();
            assertThat(initiator.provider()).isEqualTo("iwarp");
            assertThat(initiator.connections()).isEqualTo(1);
            assertThat(initiator.registrations()).isEqualTo(2);
            assertThat(initiator.bytesHeld()).isEqualTo(RECEIVES_REGISTERED + memory.length());
            assertThat(initiator.work())
                    .containsEntry(Operation.SEND, new Work(1, 1, 100, 0, 0))
                    .containsEntry(Operation.WRITE, new Work(1, 1, 60, 0, 0))
                    .containsEntry(Operation.READ, new Work(1, 1, 40, 0, 0))
                    .containsEntry(Operation.RECEIVE, new Work(Side.RECEIVES, 0, 0, 0, 0));

            Statistics responder = pair.responder.provider.statistics();
            assertThat(responder.accessesGranted()).isEqualTo(2);
            assertThat(responder.accessesOpen()).isEqualTo(1);
            assertThat(responder.work()).containsEntry(Operation.RECEIVE, new Work(Side.RECEIVES, 1, 100, 0, 0));

            refusedRead(pair, memory);
            memory.close();
            memory.close();

            Statistics after = pair.initiator.provider.statistics();
            assertThat(after.connections()).isZero();
            assertThat(after.connectionsOpened()).isEqualTo(1);
            assertThat(after.bytesHeld()).isEqualTo(RECEIVES_REGISTERED);
            assertThat(after.work())
                    .containsEntry(Operation.READ, new Work(2, 1, 40, 1, 0))
                    .containsEntry(Operation.RECEIVE, new Work(Side.RECEIVES, 0, 0, 0, Side.RECEIVES));
            assertThat(pair.responder.provider.statistics().accessesOpen()).isZero();
        }
    }

    @Test
    void aFlightRecorderSeesConnectionsRegistrationsWorkAndErrors() throws Exception {
        Path file = folder.resolve("rdma.jfr");
        String local;
        try (Recording recording = new Recording()) {
            recording.enable("org.emplace.rdma.Post");
            recording.start();
            try (Pair pair = Pair.connected(() -> IwarpProvider.open(IwarpOptions.DEFAULTS))) {
                local = pair.initiator.queuePair().localAddress().toString();
                refusedRead(pair, exchange(pair));
                recording.stop();
            }
            recording.dump(file);
        }
        List<RecordedEvent> events = RecordingFile.readAllEvents(file);

        assertThat(of(events, "Registration")).anySatisfy(event -> {
            assertThat(event.getString("provider")).isEqualTo("iwarp");
            assertThat(event.getLong("bytes")).isEqualTo(RECEIVES_REGISTERED);
            assertThat(event.getString("refusal")).isEmpty();
        });
        assertThat(at(local, of(events, "Post"))).first().satisfies(event -> {
            assertThat(event.getInt("sends")).isEqualTo(1);
            assertThat(event.getInt("writes")).isEqualTo(1);
            assertThat(event.getInt("reads")).isEqualTo(1);
            assertThat(event.getLong("bytes")).isEqualTo(200);
        });
        assertThat(at(local, of(events, "CompletionError"))).singleElement().satisfies(event -> {
            assertThat(event.getString("operation")).isEqualTo("READ");
            assertThat(event.getString("status")).isEqualTo("REMOTE_ERROR");
            assertThat(event.getLong("id")).isEqualTo(9);
        });
        assertThat(at(local, of(events, "Connection"))).singleElement().satisfies(event -> {
            assertThat(event.getString("remote")).startsWith("/127.0.0.1:");
            assertThat(event.getString("cause")).contains("terminated");
            assertThat(event.getLong("bytesSent")).isEqualTo(100);
            assertThat(event.getLong("bytesWritten")).isEqualTo(60);
            assertThat(event.getLong("bytesRead")).isEqualTo(40);
            assertThat(event.getDuration()).isPositive();
        });
    }

    @Test
    void aFlightRecorderIsGivenTheCountersOfEachProvider() throws Exception {
        Path file = folder.resolve("counters.jfr");
        try (Recording recording = new Recording();
                Pair pair = Pair.connected(() -> IwarpProvider.open(IwarpOptions.DEFAULTS))) {
            exchange(pair);
            recording.enable("org.emplace.rdma.Counters").with("period", "endChunk");
            recording.enable("org.emplace.rdma.Work").with("period", "endChunk");
            recording.start();
            recording.stop();
            recording.dump(file);
        }
        List<RecordedEvent> events = RecordingFile.readAllEvents(file);

        assertThat(of(events, "Counters")).anySatisfy(event -> {
            assertThat(event.getLong("connections")).isEqualTo(1);
            assertThat(event.getLong("registrations")).isEqualTo(2);
        });
        assertThat(of(events, "Work")).anySatisfy(event -> {
            assertThat(event.getString("operation")).isEqualTo("SEND");
            assertThat(event.getLong("bytes")).isEqualTo(100);
        });
    }

    /** Sends 100 bytes, writes 60 and reads 40 from the initiator's side; the memory read from stays exposed. */
    private static MemoryRegion exchange(Pair pair) throws Exception {
        MemoryRegion memory = pair.initiator.region(200);
        MemoryRegion target = pair.responder.region(100);
        RemoteAccess written = pair.responder.queuePair().expose(target.segment(0, 60), Right.REMOTE_WRITE);
        RemoteAccess read = pair.responder.queuePair().expose(target.segment(60, 40), Right.REMOTE_READ);
        pair.initiator.post(
                new WorkRequest.Write(1, List.of(memory.segment(0, 60)), written.advertised()),
                new WorkRequest.Read(2, memory.segment(60, 40), read.advertised()),
                new WorkRequest.Send(3, List.of(memory.segment(100, 100)), OptionalInt.empty()));
        for (int i = 0; i < 3; i++) {
            assertThat(pair.initiator.handler.next().status()).isEqualTo(Status.SUCCESS);
        }
        assertThat(pair.responder.handler.next().status()).isEqualTo(Status.SUCCESS);
        written.revoke().toCompletableFuture().get(20, TimeUnit.SECONDS);
        return memory;
    }

    private static void refusedRead(Pair pair, MemoryRegion memory) throws Exception {
        RemoteSegment nowhere = new RemoteSegment(1, 0, 8);
        pair.initiator.post(new WorkRequest.Read(9, memory.segment(0, 8), nowhere));
        Completion refused = pair.initiator.handler.next();
        assertThat(refused.id()).isEqualTo(9);
        assertThat(refused.status()).isEqualTo(Status.REMOTE_ERROR);
        assertThat(pair.initiator.handler.end()).isPresent();
        assertThat(pair.responder.handler.end()).isPresent();
    }

    private static List<RecordedEvent> of(List<RecordedEvent> events, String name) {
        return events.stream()
                .filter(event -> event.getEventType().getName().equals("org.emplace.rdma." + name))
                .toList();
    }

    private static List<RecordedEvent> at(String local, List<RecordedEvent> events) {
        return events.stream()
                .filter(event -> event.getString("local").equals(local))
                .toList();
    }
}
