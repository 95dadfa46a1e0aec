// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.requester;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.emplace.rpc.Failures.assertFails;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaProvider;
import org.emplace.rdma.RemoteAccess;
import org.emplace.rdma.WorkRequest.Completion;
import org.emplace.rdma.iwarp.IwarpOptions;
import org.emplace.rdma.iwarp.IwarpProvider;
import org.emplace.reactor.Timekeeper;
import org.emplace.rpc.CallObserver;
import org.emplace.rpc.CallOptions;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.Destinations;
import org.emplace.rpc.Procedure;
import org.emplace.rpc.ProcedureBinding;
import org.emplace.rpc.ResultOrder;
import org.emplace.rpc.RpcException.Kind;
import org.emplace.rpc.RpcProgram;
import org.emplace.rpc.client.PendingCalls;
import org.emplace.rpcrdma.link.Link;
import org.emplace.rpcrdma.link.TestLink;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrCodec;
import org.emplace.xdr.XdrEncoder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** What a call exposes, when that is fenced, and when the memory is released. The test plays the queue pair. */
final class OutgoingCallTest {
    private static final int POOLED = 1 << 20;
    private static final XdrCodec<List<Payload>> ITEMS = new XdrCodec<>(
            (out, items) -> out.writeArray(items, XdrEncoder::writePayload),
            in -> in.readArray(Integer.MAX_VALUE, 4, from -> from.readPayload(Integer.MAX_VALUE)));
    /** Its results may be as long as its arguments. */
    static final Procedure<List<Payload>, List<Payload>> ECHO = Procedure.of(
            RpcProgram.of("TEST", 0x20000042, 1),
            1,
            "ECHO",
            ITEMS,
            ITEMS,
            ProcedureBinding.<List<Payload>, List<Payload>>idempotent(items -> 4 + 4L * items.size())
                    .withReadChunks(8)
                    .withWriteChunks(
                            8,
                            ResultOrder.arrayBySize(
                                    List::size,
                                    items -> items,
                                    ResultOrder.payload(
                                            0, "[]", (items, i) -> items.get(i).length(), item -> item))));

    @AutoClose
    private final RdmaProvider provider = IwarpProvider.open(IwarpOptions.DEFAULTS);

    private final Timekeeper time = Timekeeper.system("test");
    private final TestLink peer = new TestLink(provider, time);
    private final Link link = peer.link;
    private final List<TestLink.Access> accesses = peer.accesses;
    private final PendingCalls calls = new PendingCalls(
            "test", CallObserver.NONE, 1 << 20, time, call -> RemoteAccess.FENCED, link, link.callbacks(), true);

    OutgoingCallTest() throws Exception {}

    @AfterEach
    void nothingElseIsAskedOfTheQueuePair() {
        assertThat(peer.calls).isEmpty();
    }

    @Test
    void aCallWithoutChunksIsFencedAtOnce() throws Exception {
        OutgoingCall call = encoded(10);
        call.prepare(1);

        assertThat(accesses).isEmpty();
        assertThat(call.fence() == RemoteAccess.FENCED).isTrue();
    }

    @Test
    void aCallIsFencedWhenAllItsAccessesHaveEnded() throws Exception {
        OutgoingCall call = encoded(5000);
        call.prepare(1);
        CompletableFuture<Void> fenced = call.fence().toCompletableFuture();

        assertThat(accesses).hasSize(2).allMatch(TestLink.Access::isRevoked);
        accesses.get(1).end();
        assertThat(fenced).isNotDone();
        accesses.get(0).end();
        assertThat(fenced).isCompleted();
    }

    /** As after a remote invalidation. */
    @Test
    void aCallWhoseAccessesHaveEndedIsFencedAtOnce() throws Exception {
        OutgoingCall call = encoded(5000);
        call.prepare(1);
        accesses.forEach(TestLink.Access::end);

        assertThat(call.fence() == RemoteAccess.FENCED).isTrue();
    }

    @Test
    void aCallThatIsGivenUpBeforeItIsPreparedIsFencedAfterward() throws Exception {
        OutgoingCall call = encoded(5000);
        CompletableFuture<Void> fenced = call.fence().toCompletableFuture();
        CompletableFuture<Void> again = call.fence().toCompletableFuture();
        call.prepare(1);

        assertThat(accesses).hasSize(2).allMatch(TestLink.Access::isRevoked);
        assertThat(fenced).isNotDone();
        accesses.forEach(TestLink.Access::end);
        assertThat(fenced).isCompleted();
        assertThat(again).isCompleted();
    }

    @Test
    void whatIsExposedOfACallThatCannotBePreparedIsFenced() throws Exception {
        peer.exposing = () -> {
            if (accesses.size() == 1) {
                throw new RdmaException(RdmaException.Reason.NO_RESOURCES, "no more STags");
            }
        };
        OutgoingCall call = encoded(5000);
        CompletableFuture<Void> fenced = call.fence().toCompletableFuture();
        assertThatThrownBy(() -> call.prepare(1)).isInstanceOf(RdmaException.class);

        assertThat(accesses).hasSize(1).allMatch(TestLink.Access::isRevoked);
        assertThat(fenced).isNotDone();
        accesses.get(0).end();
        assertThat(fenced).isCompleted();
    }

    @Test
    void theMemoryIsReleasedWhenBothTheSendAndTheCallHaveEnded() throws Exception {
        OutgoingCall call = encoded(5000);
        call.prepare(1);
        call.sending();

        call.release();
        assertThatThrownBy(() -> link.memory().pool().acquire(POOLED)).isInstanceOf(RdmaException.class);
        call.completed(Completion.Status.SUCCESS);
        assertThat(link.memory().pool().acquire(POOLED)).isNotNull();
    }

    @Test
    void aCallThatIsLongerThanTheServerAcceptsIsRefusedAtTheClient() throws Exception {
        assertFails(() -> encoded(ConnectionOptions.DEFAULT.maxMessage()), Kind.GARBAGE_ARGS);

        assertThat(link.memory().pool().acquire(POOLED)).isNotNull();
    }

    @Test
    void aCallThatIsTooLongForItsDirectionLeavesNoMemory() throws Exception {
        assertFails(() -> encoded(false, Payload.of(ByteBuffer.allocate(5000))), Kind.NO_RESOURCES);

        assertThat(link.memory().pool().acquire(POOLED)).isNotNull();
    }

    /** Of 1024 bytes, the message takes 52, and the header without Read chunks 76: there is room for 37 segments. */
    @Test
    void readChunksShareTheSegmentsForWhichTheHeaderHasRoom() throws Exception {
        int writes = 2;
        encoded(true, inPieces(20), inPieces(17)).prepare(1);
        assertThat(accesses).hasSize(20 + 17 + writes);

        accesses.clear();
        encoded(true, inPieces(20), inPieces(18)).prepare(1);
        assertThat(accesses).as("the second item is copied").hasSize(20 + 1 + writes);
    }

    /** A responder need not accept them, because each is an RDMA Read of its own. */
    @Test
    void manyShortPiecesAreCopiedIntoOneSegment() throws Exception {
        int writes = 1;
        encoded(true, inPieces(16, 100)).prepare(1);
        assertThat(accesses).hasSize(16 + writes);

        accesses.clear();
        encoded(true, inPieces(20, 100)).prepare(1);
        assertThat(accesses).hasSize(1 + writes);
    }

    private static Payload inPieces(int pieces) {
        return inPieces(pieces, 1024);
    }

    private static Payload inPieces(int pieces, int length) {
        return Payload.of(Stream.generate(() -> ByteBuffer.allocateDirect(length))
                .limit(pieces)
                .toArray(ByteBuffer[]::new));
    }

    /** A call with one item of so many bytes, which are on the heap. */
    private OutgoingCall encoded(int length) throws Exception {
        return encoded(true, Payload.of(ByteBuffer.allocate(length)));
    }

    private OutgoingCall encoded(boolean forward, Payload... items) throws Exception {
        return OutgoingCall.encode(
                calls.open(ECHO, List.of(items), Destinations.none(), CallOptions.DEFAULT), link, forward);
    }
}
