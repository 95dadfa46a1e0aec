// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaProvider;
import org.emplace.rdma.Receives.ReceiveRequest;
import org.emplace.rdma.Receives.SharedReceiveQueue;
import org.emplace.rdma.WorkRequest.Completion;
import org.emplace.rdma.iwarp.IwarpOptions;
import org.emplace.rdma.iwarp.IwarpProvider;
import org.emplace.reactor.Peer;
import org.emplace.rpcrdma.memory.RegisteredPool;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** How a queue of forty Receives is shared: ten are spare, and further credits are granted only from half of the others. */
final class SharedReceivesTest {
    private static final int SIZE = 4096;
    private static final int CAPACITY = 40;
    private static final int SPARE = 10;
    /** What one address may have of the first half. */
    private static final int MOST = (CAPACITY - SPARE) / 2 * 7 / 8;

    private static final Peer PEER = Peer.of(InetAddress.getLoopbackAddress());

    @AutoClose
    private final RdmaProvider provider = IwarpProvider.open(IwarpOptions.DEFAULTS);

    private final RegisteredPool pool = new RegisteredPool(provider, 32L * CAPACITY * SIZE);
    private final Queue queue = new Queue(CAPACITY);
    private final SharedReceives shared = new SharedReceives(queue, pool, SIZE);

    SharedReceivesTest() throws Exception {}

    @Test
    void aQuarterOfASmallQueueIsPromisedToNobody() {
        assertThat(joined()).hasSize(CAPACITY - SPARE);
        assertThat(queue.posted).hasSize(CAPACITY);
    }

    @Test
    void theFirstConnectionHasThoseOfNobodyPosted() throws Exception {
        assertThat(queue.posted).isEmpty();
        shared.join(PEER, CAPACITY);
        assertThat(queue.posted).hasSize(SPARE + 1);
        shared.join(PEER, CAPACITY);
        assertThat(queue.posted).hasSize(SPARE + 2);
    }

    @Test
    void furtherCreditsComeOutOfTheFirstHalf() throws Exception {
        assertThat(grown(shared.join(PEER, CAPACITY).credits())).isEqualTo(MOST);
        assertThat(shared.join(PEER, CAPACITY).credits().grant(CAPACITY)).isEqualTo(1);
    }

    /** A quarter of the pool is for Receives and inline replies: a granted call has to find room there. */
    @Test
    void inASmallPoolFewerCreditsAreGranted() throws Exception {
        assertThat(grown(small(64, 1000).join(PEER, CAPACITY).credits())).isEqualTo(8);
        assertThat(grown(small(512, 2000).join(PEER, CAPACITY).credits())).isEqualTo(16);
    }

    /** Not only the first ones: a grant never falls. */
    @Test
    void inASmallPoolManyPeersHaveMoreThanOneCredit() throws Exception {
        SharedReceives many = small(512, 2000);
        for (int i = 1; i <= 50; i++) {
            Peer peer = Peer.of(InetAddress.getByAddress(new byte[] {10, 0, 0, (byte) i}));
            assertThat(grown(many.join(peer, 64).credits())).as("peer %d", i).isGreaterThan(1);
        }
    }

    /** The Receives of a large queue with a pool that is large enough for so many credits. */
    private SharedReceives small(int credits, int capacity) throws Exception {
        return new SharedReceives(new Queue(capacity), new RegisteredPool(provider, 32L * credits * SIZE), SIZE);
    }

    /** It may have two calls in flight for each credit, and its share of the places of late answers. */
    @Test
    void aPeerThatTakesNoRepliesHoldsNoMoreOverManyConnections() throws Exception {
        int accepted = 0;
        for (int i = 0; i < 10; i++) {
            GrantedCredits credits = shared.join(PEER, 1).credits();
            while (credits.consume()) {
                credits.answered();
                accepted++;
            }
        }
        assertThat(accepted).isEqualTo(10 * 2 + 64 * 7 / 8);
    }

    /** The eight leave seven of the first half. Five more leave two, a seventh of what the address then holds. */
    @Test
    void allConnectionsOfAnAddressCountTowardWhatItMayHave() throws Exception {
        for (int i = 0; i < 7; i++) {
            shared.join(PEER, CAPACITY);
        }
        assertThat(grown(shared.join(PEER, CAPACITY).credits())).isEqualTo(6);
    }

    @Test
    void repliesThatCameDoNotCountTowardWhatTheirAddressMayHave() throws Exception {
        ConnectionReceives connection = shared.join(PEER, CAPACITY);
        for (int i = 0; i < 8; i++) {
            connection.expectReply();
        }
        for (int i = 0; i < 8; i++) {
            connection.replyCame();
        }
        assertThat(grown(connection.credits())).isEqualTo(MOST);
    }

    @Test
    void connectionsThatHaveEndedDoNotCountTowardWhatTheirAddressMayHave() throws Exception {
        for (int i = 0; i < 8; i++) {
            shared.join(PEER, CAPACITY).disconnected();
        }
        assertThat(grown(shared.join(PEER, CAPACITY).credits())).isEqualTo(MOST);
    }

    @Test
    void aMessageIsThatOfItsReceive() throws Exception {
        ConnectionReceives connection = shared.join(PEER, 1);
        ReceiveRequest receive = queue.posted.get(0);
        receive.sink().buffer().putInt(7);

        ReceivedMessage message =
                connection.completed(Completion.success(receive.id(), Completion.Operation.RECEIVE, Integer.BYTES));
        assertThat(Objects.requireNonNull(message).bytes().getInt()).isEqualTo(7);
        assertThat(connection.receives()).isSameAs(queue);
    }

    /** Receives are posted without a lock, so a connection can end during that. */
    @Test
    void whatIsPostedForAConnectionThatEndsMeanwhileIsFreeForOthers() throws Exception {
        ConnectionReceives ending = shared.join(PEER, CAPACITY);
        ending.credits().consume();
        queue.posting = ending::disconnected;

        assertThat(ending.credits().grant(CAPACITY)).isEqualTo(1);
        queue.posting = () -> {};
        assertThat(joined()).hasSize(CAPACITY - SPARE);
    }

    private List<ConnectionReceives> joined() {
        List<ConnectionReceives> connections = new ArrayList<>();
        try {
            while (true) {
                connections.add(shared.join(PEER, 1));
            }
        } catch (RdmaException full) {
            return connections;
        }
    }

    /** Grants credits until calls no longer increase the grant. Returns that grant. */
    private static int grown(GrantedCredits credits) {
        int granted = 0;
        for (int next = 1; next > granted; next = credits.grant(CAPACITY)) {
            granted = next;
            for (int call = 0; call < granted; call++) {
                credits.consume();
            }
        }
        return granted;
    }

    private static final class Queue implements SharedReceiveQueue {
        private final int capacity;
        private final List<ReceiveRequest> posted = new ArrayList<>();
        private Runnable posting = () -> {};

        Queue(int capacity) {
            this.capacity = capacity;
        }

        @Override
        public int capacity() {
            return capacity;
        }

        @Override
        public void postReceive(ReceiveRequest receive) {
            posted.add(receive);
            posting.run();
        }

        @Override
        public CompletionStage<Void> closed() {
            return new CompletableFuture<>();
        }
    }
}
