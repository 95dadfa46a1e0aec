// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.responder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletionException;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaProvider;
import org.emplace.rdma.RemoteAccess.RemoteSegment;
import org.emplace.rdma.WorkRequest;
import org.emplace.rdma.WorkRequest.Completion;
import org.emplace.rdma.iwarp.IwarpOptions;
import org.emplace.rdma.iwarp.IwarpProvider;
import org.emplace.reactor.Timekeeper;
import org.emplace.rpcrdma.header.ChunkLists;
import org.emplace.rpcrdma.header.ChunkLists.ReadChunk;
import org.emplace.rpcrdma.link.GrantedCredits;
import org.emplace.rpcrdma.link.TestLink;
import org.emplace.rpcrdma.memory.RegisteredPool;
import org.emplace.xdr.EligibleItems;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When a call's answer leaves, and what the call holds until then. */
final class IncomingRdmaCallTest {
    private static final int POOLED = 1 << 20;

    /** Of the argument in a chunk. */
    private static final int LENGTH = 3000;

    @AutoClose
    private final RdmaProvider provider = IwarpProvider.open(IwarpOptions.DEFAULTS);

    private final TestLink peer = new TestLink(provider, Timekeeper.system("test"));
    private final TestLink another = new TestLink(provider, Timekeeper.system("test"));
    private final RegisteredPool pool = peer.link.memory().pool();
    private final GrantedCredits credits = peer.link.receives().credits();
    private final IncomingRdmaCall call = ArgumentItemsTest.receivedCall(peer.link, peer.received());
    private final IncomingRdmaCall withChunk = ArgumentItemsTest.receivedCall(
            peer.link,
            another.received(),
            new ChunkLists(
                    List.of(new ReadChunk(44, List.of(new RemoteSegment(7, 0, LENGTH)))), List.of(), Optional.empty()));
    private final List<String> events = new ArrayList<>();

    IncomingRdmaCallTest() throws Exception {}

    @Test
    void theAnswerWaitsForAllUsesOfTheCallsData() {
        call.useBegins();
        call.useBegins();
        call.answer(() -> events.add("answer"));
        assertThatThrownBy(call::useBegins).isInstanceOf(IllegalStateException.class);
        call.useEnded();
        assertThat(events).isEmpty();

        call.useEnded();
        assertThat(events).containsExactly("answer");
        assertThatThrownBy(() -> call.answer(() -> {})).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void anAnswerOfOneSendWaitsForAllUsesOfTheCallsData() {
        call.useBegins();
        call.answer(send());
        assertThatThrownBy(call::useBegins).isInstanceOf(IllegalStateException.class);
        assertThat(peer.calls).doesNotContain("post");

        call.useEnded();
        assertThat(peer.calls).containsOnlyOnce("post");
        assertThatThrownBy(() -> call.answer(send())).isInstanceOf(IllegalStateException.class);
        assertThat(peer.calls).containsOnlyOnce("post");
    }

    @Test
    void anAnswerOfOneSendIsPostedAtOnceIfTheCallsDataIsNotUsed() {
        call.whenOver(() -> events.add("over"));
        WorkRequest.Send send = send();
        call.answer(send);
        assertThat(peer.calls).containsOnlyOnce("post");
        assertThat(events).isEmpty();

        peer.link.sends().completed(Completion.success(send));
        assertThat(events).containsExactly("over");
    }

    @Test
    void anAcquiredBufferIsNoLongerAUse() throws Exception {
        call.buffer(100);
        call.answer(() -> events.add("answer"));

        assertThat(events).containsExactly("answer");
        assertThatThrownBy(() -> call.buffer(100)).isInstanceOf(IllegalStateException.class);
    }

    /** The peer may have one call in flight, and twice as many when it has given some up. */
    @Test
    void theCreditIsFreeWhenTheAnswerIsSent() {
        assertThat(credits.consume()).isTrue();
        assertThat(credits.consume()).isTrue();
        assertThat(credits.consume()).isFalse();
        credits.answered();

        call.answer(() -> events.add(credits.consume() ? "the credit is free" : "the credit is taken"));
        assertThat(events).containsExactly("the credit is free");
    }

    @Test
    void theCreditIsFreeWhenTheOneSendIsPosted() {
        assertThat(credits.consume()).isTrue();
        assertThat(credits.consume()).isTrue();
        call.answer(send());

        assertThat(credits.consume()).isTrue();
    }

    @Test
    void allBuffersAreReleasedOnceWhenTheAnswerHasBeenSent() throws Exception {
        call.whenOver(() -> events.add("over"));
        call.buffer(3000);
        call.newReply();
        call.answer(() -> {});
        assertThatThrownBy(() -> pool.acquire(POOLED)).isInstanceOf(RdmaException.class);
        assertThat(events).isEmpty();

        call.completed(Completion.Status.SUCCESS);
        pool.acquire(POOLED).release();
        assertThat(events).containsExactly("over");
        call.completed(Completion.Status.FLUSHED);
        assertThat(events).containsExactly("over");
    }

    @Test
    void aDroppedCallIsOver() {
        call.whenOver(() -> events.add("over"));
        call.drop();

        assertThat(events).containsExactly("over");
    }

    /** More replies than the pool has buffers of 1024 bytes. */
    @Test
    void anotherReplyReplacesTheEarlierOne() {
        for (int reply = 0; reply <= POOLED / 1024; reply++) {
            call.newReply().finish();
        }
        call.drop();
    }

    @Test
    void withoutChunksThereIsNothingToFetch() {
        assertThat(call.fetchArguments(items -> true, () -> events.add("next"))).isFalse();
        assertThat(events).isEmpty();
    }

    @Test
    void argumentsAreFetchedWhenTheyHaveBeenDecodedAndBeforeTheServiceGetsThem() throws Exception {
        pool.acquire(LENGTH).release();
        peer.defers = true;
        assertThat(withChunk.fetchArguments(this::decode, () -> events.add("next")))
                .isTrue();
        assertThat(peer.posted).as("at once, because memory is registered").hasSize(1);
        assertThat(events).isEmpty();

        peer.end(0, Completion.Status.SUCCESS);
        assertThat(events).containsExactly("next");
        assertThat(withChunk.chunksConsumed()).isTrue();
    }

    /** The thread that serves the connections must not register memory. */
    @Test
    void memoryForArgumentsIsRegisteredByACallback() {
        peer.defers = true;
        assertThat(withChunk.fetchArguments(this::decode, () -> {})).isTrue();
        assertThat(peer.posted).isEmpty();

        peer.runDeferred();
        assertThat(peer.posted).hasSize(1);
    }

    /** A Long Call may be so long that decoding it takes time. */
    @Test
    void theArgumentsOfALongCallAreDecodedByACallback() throws Exception {
        pool.acquire(LENGTH).release();
        withChunk.messageFetched(ByteBuffer.allocate(100));
        peer.defers = true;
        assertThat(withChunk.fetchArguments(this::decode, () -> events.add("next")))
                .isTrue();
        assertThat(peer.posted).isEmpty();
        peer.runDeferred();
        assertThat(peer.posted).hasSize(1);
        assertThat(events).isEmpty();

        assertThat(withChunk.fetchArguments(items -> false, () -> events.add("not decoded")))
                .isTrue();
        peer.runDeferred();
        assertThat(events).containsExactly("not decoded");
        assertThat(peer.posted).hasSize(1);
    }

    @Test
    void anArgumentThatWasNotDecodedAheadIsInItsChunk() throws Exception {
        assertThat(withChunk.chunksConsumed()).isFalse();

        Payload argument = withChunk.chunkAt(44, LENGTH);
        assertThat(argument).isNotNull();
        assertThat(argument.length()).isEqualTo(LENGTH);
        assertThat(withChunk.chunksConsumed()).isTrue();
    }

    @Test
    void nothingIsFetchedIfDecodingFailsOrLeavesAChunk() {
        assertThat(withChunk.fetchArguments(items -> !decode(items), () -> events.add("next")))
                .isFalse();
        assertThat(withChunk.fetchArguments(items -> true, () -> events.add("next")))
                .isFalse();
        assertThat(peer.posted).isEmpty();
        assertThat(events).isEmpty();
    }

    @Test
    void aCallWhoseArgumentsCannotBeReadIsDropped() {
        withChunk.whenOver(() -> events.add("over"));
        withChunk.fetchArguments(this::decode, () -> events.add("next"));
        peer.end(0, Completion.Status.REMOTE_ERROR);

        assertThat(events).containsExactly("over");
    }

    /** The requester then sends the call again. */
    @Test
    void aCallForWhoseArgumentsTheSystemHasNoMemoryEndsItsConnection() throws Exception {
        pool.acquire(POOLED);
        withChunk.whenOver(() -> events.add("over"));
        withChunk.fetchArguments(this::decode, () -> events.add("next"));

        assertThat(events).containsExactly("over");
        assertThat(peer.isClosed()).isTrue();
    }

    /** What arrived inline has 100 bytes. */
    @Test
    void theLengthOfACallIncludesItsChunks() {
        assertThat(call.length()).isEqualTo(100);
        assertThat(withChunk.length()).isEqualTo(100 + LENGTH);
    }

    @Test
    void messagesNameTheConnectionAndTheCall() {
        assertThat(call).hasToString("test xid 0x00000001");
    }

    private WorkRequest.Send send() {
        return new WorkRequest.Send(peer.link.sends().newId(), List.of(), OptionalInt.empty());
    }

    /** Takes the argument in the chunk. */
    private boolean decode(EligibleItems items) {
        try {
            return items.chunkAt(44, LENGTH) != null;
        } catch (XdrException malformed) {
            throw new AssertionError(malformed);
        }
    }

    @Test
    void onlyLackOfLocalMemoryIsLackOfMemory() {
        RdmaException none = new RdmaException(RdmaException.Reason.NO_RESOURCES, "no memory");
        assertThat(IncomingRdmaCall.isLackOfMemory(none)).isTrue();
        assertThat(IncomingRdmaCall.isLackOfMemory(new CompletionException(none)))
                .isTrue();

        RdmaException over = new RdmaException(RdmaException.Reason.DISCONNECTED, "the connection is over");
        assertThat(IncomingRdmaCall.isLackOfMemory(over)).isFalse();
        assertThat(IncomingRdmaCall.isLackOfMemory(new CompletionException(over)))
                .isFalse();
        assertThat(IncomingRdmaCall.isLackOfMemory(new IOException("RDMA Read ended")))
                .isFalse();
    }

    @Test
    void aFileIsReadFromAnOffsetToTheLimitOrItsEnd(@TempDir Path folder) throws Exception {
        Path file = Files.write(folder.resolve("data"), new byte[] {1, 2, 3, 4, 5});
        try (FileChannel channel = FileChannel.open(file)) {
            assertThat(call.readFrom(channel, 1, 2).buffer()).isEqualTo(ByteBuffer.wrap(new byte[] {2, 3}));
            assertThat(call.readFrom(channel, 3, 100).buffer()).isEqualTo(ByteBuffer.wrap(new byte[] {4, 5}));
            assertThat(call.readFrom(channel, 9, 100).length()).isZero();
        }
        call.useBegins();
        call.answer(() -> events.add("answer"));
        assertThat(events).as("the reads have ended, but not the other use").isEmpty();
        call.useEnded();
        assertThat(events).containsExactly("answer");
    }

    @Test
    void aFileIsReadInSeveralStepsUntilNoMoreIsWantedOrItEnds(@TempDir Path folder) throws Exception {
        Path file = Files.write(folder.resolve("data"), new byte[] {1, 2, 3, 4, 5});
        try (FileChannel channel = new ShortReads(FileChannel.open(file))) {
            assertThat(call.readFrom(channel, 1, 3).buffer()).isEqualTo(ByteBuffer.wrap(new byte[] {2, 3, 4}));
            assertThat(call.readFrom(channel, 1, 100).buffer()).isEqualTo(ByteBuffer.wrap(new byte[] {2, 3, 4, 5}));
        }
    }
}
