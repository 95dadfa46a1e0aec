// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.rpc.Failures.assertFails;
import static org.emplace.rpcrdma.ClientOfRawPeer.CREDITS;
import static org.emplace.rpcrdma.ClientOfRawPeer.NOTHING;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.emplace.rpc.RpcCall;
import org.emplace.rpc.RpcException.Kind;
import org.emplace.xdr.XdrOpaque;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** How many calls a client has in flight (RFC 8166 section 3.3.3). */
final class RequesterCreditsTest {
    @AutoClose
    private final ClientOfRawPeer peers = new ClientOfRawPeer();

    @Test
    void oneCallIsSentUntilTheFirstReplyThenAsManyAsAreGranted() throws Exception {
        List<RpcCall<XdrOpaque>> calls = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            calls.add(peers.echo());
        }
        int first = peers.server.receive()[0];
        assertThat(peers.server.hasReceived())
                .as("a second call without a credit")
                .isFalse();

        peers.answer(first, 3);
        int second = peers.server.receive()[0];
        peers.server.receive();
        int fourth = peers.server.receive()[0];
        assertThat(peers.server.hasReceived()).as("a fifth call").isFalse();

        peers.answer(second, 1);
        peers.answer(fourth, 1);
        assertThat(calls.get(3).await()).isEqualTo(NOTHING);
        assertThat(peers.server.hasReceived())
                .as("a call beyond the lowered grant")
                .isFalse();
        assertThat(calls.get(1).await()).isEqualTo(NOTHING);
    }

    @Test
    void neverMoreCallsAreSentThanWereAskedFor() throws Exception {
        answerOne(1000);
        for (int i = 0; i < CREDITS + 1; i++) {
            peers.echo();
        }
        for (int i = 0; i < CREDITS; i++) {
            peers.server.receive();
        }
        assertThat(peers.server.hasReceived()).isFalse();
    }

    @Test
    void aCancelledCallKeepsItsCreditUntilItsLateReply() throws Exception {
        RpcCall<XdrOpaque> cancelled = peers.echo();
        int xid = peers.server.receive()[0];
        cancelled.cancel();
        assertFails(cancelled::await, Kind.CANCELLED);

        RpcCall<XdrOpaque> next = peers.echo();
        assertThat(peers.server.hasReceived())
                .as("a call on the cancelled one's credit")
                .isFalse();

        peers.answer(xid, 1);
        peers.answer(peers.server.receive()[0], 1);
        assertThat(next.await()).isEqualTo(NOTHING);
    }

    @Test
    void aQueuedCallCanBeCancelledAndIsNeverSent() throws Exception {
        peers.echo();
        RpcCall<XdrOpaque> queued = peers.echo();
        RpcCall<XdrOpaque> last = peers.echo();
        queued.cancel();
        assertFails(queued::await, Kind.CANCELLED);

        peers.answer(peers.server.receive()[0], 8);
        peers.answer(peers.server.receive()[0], 8);

        assertThat(last.await()).isEqualTo(NOTHING);
        assertThat(peers.server.hasReceived()).isFalse();
    }

    @Test
    void aMalformedReplyGivesItsCreditBackAndGrantsNoMore() throws Exception {
        RpcCall<XdrOpaque> broken = peers.echo();
        peers.server.send(Words.header(peers.server.receive()[0], CREDITS, 7));
        assertFails(broken::await, Kind.BAD_REPLY);

        peers.echo();
        peers.echo();

        peers.server.receive();
        Awaitility.await()
                .during(Duration.ofMillis(200))
                .atMost(Duration.ofSeconds(20))
                .until(() -> !peers.server.hasReceived());
    }

    private void answerOne(int credits) throws Exception {
        RpcCall<XdrOpaque> call = peers.echo();
        peers.answer(peers.server.receive()[0], credits);
        call.await();
    }
}
