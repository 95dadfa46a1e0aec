// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.emplace.rdma.MemoryRegion;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaException.Reason;
import org.emplace.rdma.RemoteAccess;
import org.emplace.rdma.RemoteAccess.RemoteSegment;
import org.emplace.rdma.RemoteAccess.Right;
import org.emplace.rdma.WorkRequest;
import org.emplace.rdma.WorkRequest.Completion;
import org.emplace.rdma.WorkRequest.Completion.Operation;
import org.emplace.rdma.WorkRequest.Completion.Status;
import org.emplace.rdma.contract.ProviderUnderTest.Limit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Which memory a peer can access, and the fence when access is revoked. */
final class RemoteAccessTest {
    private static final byte POISON = 0x5a;
    private static final int PIECE = 65_536;
    private static final int PIECES = 64;

    @AutoClose
    private final Pair pair = Pair.connected();

    RemoteAccessTest() throws Exception {}

    // ---- rejected accesses: 4096 bytes are exposed in the middle of 12288

    @ParameterizedTest(name = "{0}: {1} bytes from {2} on")
    @CsvSource({
        "REMOTE_WRITE, 4096, 1",
        "REMOTE_WRITE, 4096, -1",
        "REMOTE_WRITE, 4097, 0",
        "REMOTE_WRITE, 1, 4096",
        "REMOTE_READ, 4096, 1",
        "REMOTE_READ, 4096, -1",
        "REMOTE_READ, 4097, 0",
        "REMOTE_READ, 1, 4096",
    })
    void nothingBeyondTheExposedBytesIsAccessible(Right right, int length, int from) throws Exception {
        Exposed exposed = new Exposed(right);
        RemoteSegment advertised = exposed.access.advertised();
        exposed.assertRefused(
                exposed.request(new RemoteSegment(advertised.stag(), advertised.offset() + from, length), length));
    }

    @ParameterizedTest
    @EnumSource(Right.class)
    void anUnknownStagIsRejected(Right right) throws Exception {
        Exposed exposed = new Exposed(right);
        RemoteSegment advertised = exposed.access.advertised();
        exposed.assertRefused(
                exposed.request(new RemoteSegment(advertised.stag() ^ 0x55, advertised.offset(), 100), 100));
    }

    @Test
    void aWriteIsRejectedIfOnlyReadsAreAllowed() throws Exception {
        Exposed exposed = new Exposed(Right.REMOTE_READ);
        exposed.assertRefused(
                new WorkRequest.Write(9, List.of(exposed.local.segment(0, 100)), exposed.access.advertised()));
    }

    @Test
    void aReadIsRejectedIfOnlyWritesAreAllowed() throws Exception {
        assumeFalse(ProviderUnderTest.CHOSEN.has(Limit.READ_RIGHT_IS_NOT_CHECKED), "the device does not check it");
        Exposed exposed = new Exposed(Right.REMOTE_WRITE);
        RemoteSegment advertised = exposed.access.advertised();
        exposed.assertRefused(new WorkRequest.Read(
                9, exposed.local.segment(0, 100), new RemoteSegment(advertised.stag(), advertised.offset(), 100)));
    }

    @ParameterizedTest
    @EnumSource(Right.class)
    void accessEndsWhenItIsRevoked(Right right) throws Exception {
        Exposed exposed = new Exposed(right);
        RemoteSegment advertised = exposed.access.advertised();
        await(exposed.access.revoke());
        await(exposed.access.revoke());
        pair.greet();
        exposed.assertRefused(exposed.request(new RemoteSegment(advertised.stag(), advertised.offset(), 100), 100));
    }

    @ParameterizedTest
    @EnumSource(Right.class)
    void accessEndsWithItsRegion(Right right) throws Exception {
        Exposed exposed = new Exposed(right);
        RemoteSegment advertised = exposed.access.advertised();
        exposed.region.close();
        exposed.region.close();
        exposed.assertRefused(exposed.request(new RemoteSegment(advertised.stag(), advertised.offset(), 100), 100));
        await(exposed.access.revoke());
    }

    @ParameterizedTest
    @EnumSource(Right.class)
    void aClosedRegionCannotBeExposed(Right right) throws Exception {
        MemoryRegion region = pair.responder.noise(100);
        region.close();
        assertThatThrownBy(() -> pair.responder.expose(region, right))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("deregistered");
        pair.greet();
    }

    @ParameterizedTest
    @EnumSource(Right.class)
    void anStagIsValidOnlyOnItsOwnConnection(Right right) throws Exception {
        Exposed exposed = new Exposed(right);
        RemoteSegment advertised = exposed.access.advertised();
        Pair other = pair.another();
        other.initiator.post(exposed.request(new RemoteSegment(advertised.stag(), advertised.offset(), 100), 100));
        other.responder.handler.end();
        other.initiator.handler.end();
        exposed.assertUntouched();
        pair.greet();
    }

    @Test
    void aRejectedAccessEndsNoOtherConnection() throws Exception {
        Pair other = pair.another();
        anUnknownStagIsRejected(Right.REMOTE_WRITE);
        other.greet();
        pair.another().greet();
    }

    /** Memory of the responder whose middle part is exposed, and the initiator's accesses to it. */
    private final class Exposed {
        final MemoryRegion region = pair.responder.noise(3 * 4096);
        final MemoryRegion local = pair.initiator.region(2 * 4096);
        final Right right;
        final RemoteAccess access;

        Exposed(Right right) throws Exception {
            this.right = right;
            access = pair.responder.queuePair().expose(region.segment(4096, 4096), right);
        }

        WorkRequest request(RemoteSegment target, int length) {
            return right == Right.REMOTE_WRITE
                    ? new WorkRequest.Write(9, List.of(local.segment(0, length)), target)
                    : new WorkRequest.Read(9, local.segment(0, length), target);
        }

        /** The connection ends on both sides, the initiator gets an error, and no byte has been moved. */
        void assertRefused(WorkRequest request) throws Exception {
            pair.initiator.post(request);
            pair.responder.handler.end();
            boolean toldAtTheEnd = pair.initiator.handler.end().isPresent();
            Completion completion = pair.initiator.handler.rest().stream()
                    .filter(each -> each.operation() != Operation.RECEIVE)
                    .findFirst()
                    .orElseThrow();
            assertThat(completion.id()).isEqualTo(9);
            if (!ProviderUnderTest.CHOSEN.has(Limit.REFUSALS_ARE_NOT_TOLD)) {
                assertThat(toldAtTheEnd || completion.status() != Status.SUCCESS)
                        .isTrue();
            }
            if (completion.operation() == Operation.READ) {
                assertThat(completion.status()).isNotEqualTo(Status.SUCCESS);
            }
            assertUntouched();
        }

        void assertUntouched() throws RdmaException {
            assertThat(region.buffer()).isEqualTo(pair.responder.noise(3 * 4096).buffer());
            assertThat(local.buffer()).isEqualTo(ByteBuffer.allocate(2 * 4096));
        }
    }

    // ---- fences

    @Test
    void nothingIsWrittenAfterTheFence() throws Exception {
        MemoryRegion target = pair.responder.region(PIECE);
        RemoteAccess access = pair.responder.expose(target, Right.REMOTE_WRITE);
        MemoryRegion source = pair.initiator.noise(PIECES * PIECE);
        postPieces(i -> new WorkRequest.Write(i, List.of(source.segment(i * PIECE, PIECE)), access.advertised()));
        Awaitility.await().until(() -> target.buffer().getInt(PIECE - 4) != 0);

        await(access.revoke());
        fill(target);
        pair.initiator.post(new WorkRequest.Write(99, List.of(source.segment(0, PIECE)), access.advertised()));
        pair.responder.handler.end();
        pair.initiator.handler.end();
        assertThat(target.buffer()).isEqualTo(poison(PIECE));
    }

    @Test
    void nothingIsReadAfterTheFence() throws Exception {
        assumeFalse(ProviderUnderTest.CHOSEN.has(Limit.READS_ARE_NOT_FENCED), "the device goes on sending");
        MemoryRegion source = pair.responder.region(PIECE);
        RemoteAccess access = pair.responder.expose(source, Right.REMOTE_READ);
        MemoryRegion sink = pair.initiator.region(PIECES * PIECE);
        postPieces(i -> new WorkRequest.Read(i, sink.segment(i * PIECE, PIECE), access.advertised()));
        assertThat(pair.initiator.handler.next().status()).isEqualTo(Status.SUCCESS);

        await(access.revoke());
        fill(source);
        pair.initiator.post(new WorkRequest.Read(99, sink.segment(0, PIECE), access.advertised()));
        pair.responder.handler.end();
        pair.initiator.handler.end();
        assertThat(sink.buffer()).isEqualTo(ByteBuffer.allocate(PIECES * PIECE));
    }

    @Test
    void aFenceAfterCompletedWorkDoesNotEndTheConnection() throws Exception {
        MemoryRegion target = pair.responder.region(PIECES * PIECE);
        RemoteAccess access = pair.responder.expose(target, Right.REMOTE_WRITE);
        MemoryRegion source = pair.initiator.noise(PIECES * PIECE);
        pair.initiator.post(
                new WorkRequest.Write(1, List.of(source.segment(0, source.length())), access.advertised()),
                Side.send(2, source, 0));
        assertThat(pair.responder.handler.next().operation()).isEqualTo(Operation.RECEIVE);
        await(access.revoke());
        assertThat(target.buffer()).isEqualTo(source.buffer());
        assertThat(pair.initiator.handler.next(2)).allMatch(c -> c.status() == Status.SUCCESS);
        pair.greet();
    }

    @Test
    void aFenceCompletesIfTheConnectionIsOver() throws Exception {
        MemoryRegion memory = pair.responder.region(16);
        RemoteAccess access = pair.responder.expose(memory, Right.REMOTE_WRITE);
        pair.initiator.queuePair().close();
        pair.responder.handler.end();
        await(access.revoke());
    }

    @Test
    void aFenceCompletesIfTheProviderIsClosed() throws Exception {
        MemoryRegion memory = pair.responder.region(16);
        RemoteAccess access = pair.responder.expose(memory, Right.REMOTE_READ);
        pair.responder.provider.close();
        await(access.revoke());
    }

    @Test
    void nothingCanBeExposedOnceTheConnectionIsOver() throws Exception {
        MemoryRegion memory = pair.responder.region(16);
        pair.initiator.queuePair().close();
        pair.responder.handler.end();
        assertThatThrownBy(() -> pair.responder.expose(memory, Right.REMOTE_WRITE))
                .isInstanceOfSatisfying(
                        RdmaException.class, e -> assertThat(e.reason()).isEqualTo(Reason.DISCONNECTED));
    }

    // ---- many

    @Test
    void manyRangesOfOneRegionAreExposedAtOnce() throws Exception {
        int ranges = 300;
        MemoryRegion target = pair.responder.region(ranges * 16);
        MemoryRegion source = pair.initiator.noise(ranges * 16);
        List<RemoteAccess> accesses = new ArrayList<>();
        List<WorkRequest> writes = new ArrayList<>();
        for (int i = 0; i < ranges; i++) {
            RemoteAccess access = pair.responder.queuePair().expose(target.segment(i * 16, 16), Right.REMOTE_WRITE);
            accesses.add(access);
            writes.add(new WorkRequest.Write(i, List.of(source.segment(i * 16, 16)), access.advertised()));
        }
        pair.initiator.queuePair().post(writes);
        assertThat(pair.initiator.handler.next(ranges)).allMatch(c -> c.status() == Status.SUCCESS);
        pair.greet();
        assertThat(target.buffer()).isEqualTo(source.buffer());
        for (RemoteAccess access : accesses) {
            await(access.revoke());
        }
        pair.greet();
    }

    @Test
    void exposingAndRevokingManyTimesReusesNoStagSoon() throws Exception {
        MemoryRegion memory = pair.responder.region(PIECE);
        Set<Integer> stags = new HashSet<>();
        for (int i = 0; i < 200; i++) {
            RemoteAccess access = pair.responder.queuePair().expose(memory.segment(i, 100), Right.REMOTE_READ);
            stags.add(access.advertised().stag());
            assertThat(access.advertised().length()).isEqualTo(100);
            await(access.revoke());
        }
        assertThat(stags).hasSizeGreaterThan(100);
        pair.greet();
    }

    private interface Piece {
        WorkRequest request(int index);
    }

    private void postPieces(Piece piece) throws Exception {
        pair.initiator
                .queuePair()
                .post(IntStream.range(0, PIECES).mapToObj(piece::request).toList());
    }

    private static void fill(MemoryRegion region) {
        region.buffer().put(poison(region.length()));
    }

    private static ByteBuffer poison(int length) {
        ByteBuffer poison = ByteBuffer.allocate(length);
        Arrays.fill(poison.array(), POISON);
        return poison;
    }

    private static void await(CompletionStage<Void> fence) throws Exception {
        fence.toCompletableFuture().get(RecordingHandler.TIMEOUT_SECONDS, TimeUnit.SECONDS);
    }
}
