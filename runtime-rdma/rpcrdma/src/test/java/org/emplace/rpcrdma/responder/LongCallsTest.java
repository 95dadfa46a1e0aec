// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.responder;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaProvider;
import org.emplace.rdma.RemoteAccess.RemoteSegment;
import org.emplace.rdma.WorkRequest.Completion;
import org.emplace.rdma.iwarp.IwarpOptions;
import org.emplace.rdma.iwarp.IwarpProvider;
import org.emplace.reactor.Peer;
import org.emplace.reactor.Timekeeper;
import org.emplace.rpc.limits.MemoryShares;
import org.emplace.rpc.message.MessageHeader;
import org.emplace.rpc.server.ServiceDispatcher;
import org.emplace.rpcrdma.header.ChunkLists;
import org.emplace.rpcrdma.header.ChunkLists.ReadChunk;
import org.emplace.rpcrdma.header.Header;
import org.emplace.rpcrdma.link.ConnectionReceives.Own;
import org.emplace.rpcrdma.link.ReceivedMessage;
import org.emplace.rpcrdma.link.TestLink;
import org.emplace.rpcrdma.memory.PooledBuffer;
import org.emplace.rpcrdma.memory.RegisteredPool;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/**
 * When a responder fetches the message of a Long Call, and what is left of calls that it cannot process. The peer, which the test plays, may
 * have one call in flight, and twice as many when it has given some up.
 */
final class LongCallsTest {
    private static final int POOLED = 1 << 20;
    private static final int LONGEST_MESSAGE = POOLED / 2;

    /** The number of Receives, of which each test uses each at most once. */
    private static final int MESSAGES = 6;

    @AutoClose
    private final RdmaProvider provider = IwarpProvider.open(IwarpOptions.DEFAULTS);

    @AutoClose
    private final ServiceDispatcher dispatcher = new ServiceDispatcher(1);

    private final TestLink peer = new TestLink(provider, Timekeeper.system("test"));
    private final RegisteredPool pool = peer.link.memory().pool();
    private final RegisteredPool receiving = new RegisteredPool(provider, POOLED);
    private final Own receives = new Own(receiving, 1024, 1, MESSAGES - 1);
    private final Responder responder = responder(LONGEST_MESSAGE);
    private int messages;

    LongCallsTest() throws Exception {
        for (int further = 1; further < MESSAGES; further++) {
            receives.expectReply();
        }
    }

    @Test
    void theMessageIsFetchedAtOnceIfThereIsRegisteredMemory() throws Exception {
        pool.acquire(100).release();
        peer.defers = true;
        responder.called(longCall(100), message());

        assertThat(peer.posted).hasSize(1);
    }

    /** The thread that serves the connections must not register memory. */
    @Test
    void memoryForTheMessageIsRegisteredByACallback() throws Exception {
        peer.defers = true;
        responder.called(longCall(100), message());
        assertThat(peer.posted).isEmpty();

        peer.runDeferred();
        assertThat(peer.posted).hasSize(1);
    }

    @Test
    void aChunkThatIsTooShortForAMessageIsNotFetched() throws Exception {
        responder.called(longCall(MessageHeader.MINIMUM_LENGTH - 1), message());
        assertThat(peer.posted).isEmpty();
        assertThat(peer.calls).as("ERR_CHUNK").contains("post");

        responder.called(longCall(MessageHeader.MINIMUM_LENGTH), message());
        assertThat(peer.posted).hasSize(1);
    }

    @Test
    void aCallForWhoseMessageThereIsNoMemoryWaits() throws Exception {
        peer.link.share().charge(POOLED / 2);
        // Borrows, so that no other connection can.
        MemoryShares.Share other = peer.link.memory().shares().connection(Peer.of(InetAddress.getByName("192.0.2.1")));
        assertThat(other.chargeOrWait(POOLED / 2, POOLED / 2, () -> {})).isTrue();
        responder.called(longCall(POOLED / 8), message());
        assertThat(peer.posted).isEmpty();
        assertThat(peer.calls).isEmpty();

        other.uncharge(POOLED / 2);
        assertThat(peer.posted).hasSize(1);
    }

    @Test
    void aCallForWhoseMessageTheSystemHasNoMemoryEndsItsConnection() throws Exception {
        pool.acquire(POOLED);
        responder.called(longCall(POOLED / 8), message());

        assertThat(peer.posted).isEmpty();
        assertThat(peer.isClosed()).isTrue();
    }

    @Test
    void aCallWhoseMessageCannotBeReadLeavesNothing() throws Exception {
        responder.called(longCall(100), message());
        peer.end(0, Completion.Status.REMOTE_ERROR);

        assertThat(peer.calls)
                .as("the connection is over, so there is no answer")
                .doesNotContain("post");
        assertThatNothingIsHeld();
    }

    @Test
    void aPeerThatExceedsItsCreditsIsDisconnectedOnceAndNotAnswered() throws Exception {
        responder.called(longCall(100), message());
        responder.called(longCall(100), message());
        assertThat(peer.isClosed()).isFalse();

        responder.called(longCall(100), message());
        responder.called(new Header.Message(3, 1, ChunkLists.EMPTY), message());
        responder.called(new Header.OtherVersion(4, 1, 2), message());
        responder.calledMalformed(5, "it has no message", message());
        assertThat(peer.calls).containsOnlyOnce("close").doesNotContain("post");
        peer.end(0, Completion.Status.FLUSHED);
        peer.end(1, Completion.Status.FLUSHED);
        assertThatNothingIsHeld();
    }

    @Test
    void aPeerForWhoseAnswerThereIsNoMemoryIsDisconnected() throws Exception {
        PooledBuffer all = pool.acquire(POOLED);
        responder.calledMalformed(5, "it has no message", message());

        assertThat(peer.calls).containsExactly("close");
        all.release();
        assertThatNothingIsHeld();
    }

    /** They end at once, because the connection is over. */
    @Test
    void fetchesThatWaitForOthersBeginWhenTheConnectionIsOver() throws Exception {
        Responder oneAtATime = responder(1000);
        oneAtATime.called(longCall(800), message());
        oneAtATime.called(longCall(800), message());
        assertThat(peer.posted).hasSize(1);

        oneAtATime.disconnected();
        assertThat(peer.posted).hasSize(2);
    }

    private void assertThatNothingIsHeld() throws RdmaException {
        pool.acquire(POOLED).release();
        receives.disconnected();
        receiving.acquire(POOLED).release();
    }

    /** The header of a call whose message is in a chunk of so many bytes. */
    private static Header.NoMessage longCall(int length) {
        ReadChunk whole = new ReadChunk(0, List.of(new RemoteSegment(7, 0, length)));
        return new Header.NoMessage(1, 1, new ChunkLists(List.of(whole), List.of(), Optional.empty()));
    }

    /** What the next Receive has received. */
    private ReceivedMessage message() {
        return Objects.requireNonNull(
                receives.completed(Completion.success(messages++, Completion.Operation.RECEIVE, 100)));
    }

    private Responder responder(int longestMessage) {
        return ArgumentItemsTest.responder(peer.link, dispatcher, longestMessage);
    }
}
