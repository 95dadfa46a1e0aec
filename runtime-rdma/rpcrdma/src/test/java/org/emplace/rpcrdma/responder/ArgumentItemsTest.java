// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.responder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.emplace.rdma.RdmaProvider;
import org.emplace.rdma.RemoteAccess.RemoteSegment;
import org.emplace.rdma.WorkRequest;
import org.emplace.rdma.WorkRequest.Completion.Status;
import org.emplace.rdma.iwarp.IwarpOptions;
import org.emplace.rdma.iwarp.IwarpProvider;
import org.emplace.reactor.ManualClock;
import org.emplace.reactor.Timekeeper;
import org.emplace.rpc.ServerCall;
import org.emplace.rpc.server.ServiceDispatcher;
import org.emplace.rpcrdma.header.ChunkLimits.Rules;
import org.emplace.rpcrdma.header.ChunkLists;
import org.emplace.rpcrdma.header.ChunkLists.ReadChunk;
import org.emplace.rpcrdma.link.Link;
import org.emplace.rpcrdma.link.ReceivedMessage;
import org.emplace.rpcrdma.link.TestLink;
import org.emplace.rpcrdma.responder.ArgumentItems.ReadChunkPayload;
import org.emplace.xdr.EligibleItems;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Which arguments of a call are in its Read chunks, and how their bytes are read. The test plays the peer. */
final class ArgumentItemsTest {
    private static final ReadChunk MESSAGE = new ReadChunk(0, List.of(new RemoteSegment(4, 0, 1000)));
    private static final List<ReadChunk> TWO_CHUNKS = List.of(
            MESSAGE,
            new ReadChunk(44, List.of(new RemoteSegment(1, 0, 10), new RemoteSegment(3, 0, 22))),
            new ReadChunk(100, List.of(new RemoteSegment(2, 0, 5))));

    @AutoClose
    private final RdmaProvider provider = IwarpProvider.open(IwarpOptions.DEFAULTS);

    private final TestLink peer = new TestLink(provider, Timekeeper.system("test"));
    private final IncomingRdmaCall call = receivedCall(peer.link, peer.received());

    private final List<String> events = new ArrayList<>();

    ArgumentItemsTest() throws Exception {}

    /** A call without chunks. */
    static IncomingRdmaCall receivedCall(Link link, ReceivedMessage received) {
        return receivedCall(link, received, ChunkLists.EMPTY);
    }

    static IncomingRdmaCall receivedCall(Link link, ReceivedMessage received, ChunkLists chunks) {
        return new IncomingRdmaCall(responder(link, new ServiceDispatcher(1), 1 << 16), received, 1, 1, chunks);
    }

    static Responder responder(Link link, ServiceDispatcher dispatcher, int longestMessage) {
        ServerCall.Connection connection = (ServerCall.Connection) Proxy.newProxyInstance(
                ServerCall.Connection.class.getClassLoader(),
                new Class<?>[] {ServerCall.Connection.class},
                (proxy, method, none) -> null);
        return new Responder(link, connection, dispatcher, new Rules(true, longestMessage));
    }

    @Test
    void anArgumentIsTheWholeChunkAtItsPosition() throws Exception {
        ArgumentItems items = items(false);
        assertThat(items.count()).isEqualTo(2);
        assertThat(items.length()).isEqualTo(32 + 5);
        assertThat(items.chunkAt(40, 32)).isNull();
        assertThat(items.chunkAt(44, 32)).isNotNull();
        assertThat(items.chunkAt(44, 32)).as("each is taken once").isNull();
        assertThat(items.chunkAt(48, 32)).isNull();
        assertThat(items.allTaken()).isFalse();

        assertThat(items.chunkAt(100, 5)).isNotNull();
        assertThat(items.allTaken()).isTrue();
        assertThat(items.count()).isEqualTo(2);
        assertThat(items.length()).isEqualTo(32 + 5);
    }

    @Test
    void aChunkAtAPositionWithoutAnArgumentIsNotTaken() throws Exception {
        ArgumentItems items = items(false);
        assertThat(items.chunkAt(48, 32)).isNull();
        assertThat(items.chunkAt(100, 5)).isNotNull();
        assertThat(items.allTaken()).isFalse();
    }

    @Test
    void aChunkMayHaveThePaddingOfItsArgumentAndNoMore() throws Exception {
        assertThat(taken(29).length()).isEqualTo(29);
        assertThat(taken(32).length()).isEqualTo(32);
        assertThatThrownBy(() -> taken(28)).isInstanceOf(XdrException.class);
        assertThatThrownBy(() -> taken(33)).isInstanceOf(XdrException.class);
    }

    /** An array of numbers has the length of its chunk, and decoding it needs its bytes. */
    @Test
    void anArgumentOfUnknownLengthIsNotDecodedBeforeItIsHere() throws Exception {
        Payload array = items(false).chunkAt(44, EligibleItems.UNKNOWN_LENGTH);
        assertThat(Objects.requireNonNull(array).length()).isEqualTo(32);

        assertThatThrownBy(() -> items(true).chunkAt(44, EligibleItems.UNKNOWN_LENGTH))
                .isInstanceOf(XdrException.class);
        assertThat(items(true).chunkAt(44, 32)).isNotNull();
    }

    @Test
    void theMessageItselfIsNoArgument() {
        List<ReadChunk> message = List.of(MESSAGE);
        assertThat(ArgumentItems.areIn(List.of())).isFalse();
        assertThat(ArgumentItems.areIn(message)).isFalse();
        assertThat(ArgumentItems.areIn(TWO_CHUNKS)).isTrue();
        for (List<ReadChunk> none : List.of(message, List.<ReadChunk>of())) {
            ArgumentItems items = new ArgumentItems(none, call, false);
            assertThat(items.count()).isZero();
            assertThat(items.length()).isZero();
            assertThat(items.allTaken()).isTrue();
        }
    }

    @Test
    void allArgumentsThatWereTakenAreFetchedTogether() throws Exception {
        ArgumentItems items = items(true);
        items.chunkAt(44, 29);
        items.chunkAt(100, 5);
        boolean[] here = new boolean[1];
        items.fetch().whenComplete((done, failure) -> here[0] = failure == null);
        assertThat(peer.posted).extracting(WorkRequest::length).containsExactly(10L, 19L, 5L);

        peer.end(0, Status.SUCCESS);
        peer.end(1, Status.SUCCESS);
        assertThat(here[0]).isFalse();
        peer.end(2, Status.SUCCESS);
        assertThat(here[0]).isTrue();
    }

    @Test
    void bytesAreFetchedOnce() throws Exception {
        ReadChunkPayload argument = taken(32);
        assertThat(argument.fetched()).isNotDone();
        peer.end(0, Status.SUCCESS);
        peer.end(1, Status.SUCCESS);

        assertThat(argument.buffer().remaining()).isEqualTo(32);
        assertThat(argument.buffer().isReadOnly()).isTrue();
        ByteBuffer sink = ByteBuffer.allocateDirect(32);
        assertThat(argument.fetchInto(sink).toCompletableFuture()).isCompleted();
        assertThat(peer.posted).hasSize(2);
    }

    @Test
    void aReadThatFailsIsAnError() throws Exception {
        ReadChunkPayload argument = taken(32);
        assertThat(argument.fetched()).isNotDone();
        peer.end(0, Status.SUCCESS);
        peer.end(1, Status.REMOTE_ERROR);

        assertThatThrownBy(argument::buffer).isInstanceOf(IOException.class).hasMessageContaining("REMOTE_ERROR");
    }

    /** The clock stands still, so that the fetch itself is never late. */
    @Test
    void whoWaitsTooLongClosesTheConnection() throws Exception {
        TestLink silent = new TestLink(provider, new ManualClock());
        IncomingRdmaCall waiting = receivedCall(silent.link, silent.received());
        ReadChunkPayload argument = new ReadChunkPayload(TWO_CHUNKS.get(1), waiting);

        assertThatThrownBy(argument::buffer).isInstanceOf(IOException.class).hasMessageContaining("within PT1S");
        assertThat(silent.isClosed()).isTrue();
    }

    @Test
    void whoIsInterruptedStaysSo() throws Exception {
        ReadChunkPayload argument = taken(32);
        Thread.currentThread().interrupt();

        assertThatThrownBy(argument::buffer).isInstanceOf(IOException.class).hasMessageContaining("interrupted");
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void aSinkMustHaveRoom() throws Exception {
        ReadChunkPayload argument = taken(32);
        assertThatThrownBy(() -> argument.fetchInto(ByteBuffer.allocateDirect(31)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(
                        () -> argument.fetchInto(ByteBuffer.allocateDirect(32).asReadOnlyBuffer()))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(peer.posted).isEmpty();

        argument.fetchInto(ByteBuffer.allocateDirect(32));
        assertThat(peer.posted).hasSize(2);
    }

    @Test
    void theAnswerWaitsForAFetchIntoThePool() throws Exception {
        ReadChunkPayload argument = taken(32);
        assertThat(argument.fetched()).isNotDone();
        call.answer(() -> events.add("answer"));
        peer.end(0, Status.SUCCESS);
        assertThat(events).isEmpty();

        peer.end(1, Status.SUCCESS);
        assertThat(events).containsExactly("answer");
    }

    @Test
    void theAnswerWaitsForAFetchInPlaceWhoseMemoryIsThenDeregistered() throws Exception {
        ReadChunkPayload argument = taken(32);
        long held = provider.statistics().bytesHeld();
        CompletableFuture<Void> fetched =
                argument.fetchInto(ByteBuffer.allocateDirect(32)).toCompletableFuture();
        assertThat(provider.statistics().bytesHeld()).isGreaterThan(held);
        call.answer(() -> events.add("answer"));
        peer.end(0, Status.SUCCESS);
        assertThat(fetched).isNotDone();
        assertThat(events).isEmpty();

        peer.end(1, Status.SUCCESS);
        assertThat(fetched).isCompleted();
        assertThat(events).containsExactly("answer");
        assertThat(provider.statistics().bytesHeld()).isEqualTo(held);
    }

    @Test
    void aFetchInPlaceFailsWithItsRead() throws Exception {
        CompletableFuture<Void> fetched =
                taken(32).fetchInto(ByteBuffer.allocateDirect(32)).toCompletableFuture();
        peer.end(0, Status.SUCCESS);
        peer.end(1, Status.REMOTE_ERROR);

        assertThatThrownBy(fetched::join)
                .cause()
                .isInstanceOf(IOException.class)
                .hasMessageContaining("REMOTE_ERROR");
    }

    @Test
    void theAnswerWaitsForACopy() throws Exception {
        ReadChunkPayload argument = taken(32);
        assertThat(argument.fetched()).isNotDone();
        peer.end(0, Status.SUCCESS);
        peer.end(1, Status.SUCCESS);
        peer.defers = true;
        CompletableFuture<Void> copied =
                argument.fetchInto(ByteBuffer.allocate(32)).toCompletableFuture();
        call.answer(() -> events.add("answer"));
        assertThat(events).isEmpty();

        peer.runDeferred();
        assertThat(copied).isCompleted();
        assertThat(events).containsExactly("answer");
    }

    @Test
    void nothingIsFetchedForACallThatHasBeenAnswered() throws Exception {
        ReadChunkPayload argument = taken(32);
        call.answer(() -> {});
        long held = provider.statistics().bytesHeld();

        for (ByteBuffer sink : List.of(ByteBuffer.allocate(32), ByteBuffer.allocateDirect(32))) {
            assertThatThrownBy(() -> argument.fetchInto(sink)).isInstanceOf(IllegalStateException.class);
        }
        assertThat(peer.posted).isEmpty();
        assertThat(provider.statistics().bytesHeld()).isEqualTo(held);
    }

    @Test
    void anInlineArgumentIsCopiedUntilTheCallIsAnswered() {
        Payload inline = items(false).inline(ByteBuffer.wrap(new byte[] {1, 2, 3}), 3);
        ByteBuffer sink = ByteBuffer.allocate(3);
        assertThat(inline.fetchInto(sink).toCompletableFuture()).isCompleted();
        assertThat(sink.array()).containsExactly(1, 2, 3);

        call.answer(() -> events.add("answer"));
        assertThat(events).as("the copy is over").containsExactly("answer");
        assertThatThrownBy(() -> inline.fetchInto(sink)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void argumentsSayWhereTheyAre() throws Exception {
        assertThat(taken(29)).hasToString("Payload[29 bytes in a Read chunk]");
        assertThat(items(false).inline(ByteBuffer.allocate(7), 7)).hasToString("Payload[7 bytes inline]");
    }

    private ArgumentItems items(boolean ahead) {
        return new ArgumentItems(TWO_CHUNKS, call, ahead);
    }

    /** The payload of the chunk of 32 bytes, for an item of this length. */
    private ReadChunkPayload taken(long length) throws XdrException {
        return (ReadChunkPayload) Objects.requireNonNull(items(false).chunkAt(44, length));
    }
}
