// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.requester;

import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.rpc.Failures.assertFails;

import java.nio.ByteBuffer;
import java.util.List;
import org.emplace.rdma.RdmaProvider;
import org.emplace.rdma.Receives;
import org.emplace.rdma.iwarp.IwarpOptions;
import org.emplace.rdma.iwarp.IwarpProvider;
import org.emplace.reactor.Timekeeper;
import org.emplace.rpc.CallOptions;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.Destinations;
import org.emplace.rpc.RpcException.Kind;
import org.emplace.rpc.client.PendingCall;
import org.emplace.rpc.transport.ConnectionRole;
import org.emplace.rpcrdma.header.Header;
import org.emplace.rpcrdma.link.TestLink;
import org.emplace.xdr.Payload;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What a call holds after it was sent: a Receive for its reply, and its memory until the peer can no longer access it.
 * The test decides when that is.
 */
@Timeout(60)
final class SentCallsTest {
    @AutoClose
    private final RdmaProvider provider = IwarpProvider.open(IwarpOptions.DEFAULTS);

    private final TestLink peer = new TestLink(provider, Timekeeper.system("test"));
    private final ConnectionRole role = ConnectionRole.initiator(ConnectionOptions.DEFAULT.withCredits(1));
    private final Requester requester = new Requester(peer.link, role);
    private final PendingCall<?, ?> call = requester
            .pending()
            .open(
                    OutgoingCallTest.ECHO,
                    List.of(Payload.of(ByteBuffer.allocate(5000))),
                    Destinations.none(),
                    CallOptions.DEFAULT);

    SentCallsTest() throws Exception {}

    @BeforeEach
    void send() {
        requester.call(call);
        assertThat(peer.accesses).as("a Read chunk and a Write chunk").hasSize(2);
    }

    @AfterEach
    void close() {
        requester.disconnected("the test is over");
        role.dispatcher().close();
    }

    @Test
    void aReceiveIsPostedForItsReply() {
        Receives.Own receives = (Receives.Own) peer.link.receives().receives();
        assertThat(receives.first())
                .as("for a call of the peer, and for the reply")
                .hasSize(2);
    }

    @Test
    void aReplyEndsItsCallWhenTheMemoryIsFenced() {
        receiveReply();
        assertEndsWithItsAccesses(Kind.CHUNK_ERROR);
    }

    @Test
    void aMalformedReplyEndsItsCallWhenTheMemoryIsFenced() {
        requester.repliedMalformed(call.xid(), "as it should");
        assertEndsWithItsAccesses(Kind.BAD_REPLY);
    }

    @Test
    void aCallThatIsGivenUpEndsWhenItsMemoryIsFenced() {
        call.cancel();
        assertEndsWithItsAccesses(Kind.CANCELLED);
    }

    @Test
    void aReplyThatInvalidatesTheMemoryEndsItsCallAtOnce() {
        peer.accesses.forEach(TestLink.Access::end);
        receiveReply();
        assertFails(call::await, Kind.CHUNK_ERROR);
    }

    private void receiveReply() {
        requester.replied(new Header.ChunkError(call.xid(), 1), peer.received());
        requester.repliedAll();
    }

    private void assertEndsWithItsAccesses(Kind failure) {
        for (TestLink.Access access : peer.accesses) {
            assertThat(call.completion().toCompletableFuture()).isNotDone();
            access.end();
        }
        assertFails(call::await, failure);
    }
}
