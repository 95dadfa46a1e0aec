// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.emplace.rdma.QueuePair;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaProvider;
import org.emplace.rdma.Receives;
import org.emplace.rdma.Receives.ReceiveRequest;
import org.emplace.rdma.iwarp.IwarpOptions;
import org.emplace.rdma.iwarp.IwarpProvider;
import org.emplace.rpcrdma.link.ConnectionReceives.Own;
import org.emplace.rpcrdma.memory.RegisteredPool;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The Receives of a connection whose peer may have five calls in flight, and which expects at most three replies. */
final class OwnReceivesTest {
    private static final int SIZE = 4096;
    private static final int CALLS = 5;
    private static final int REPLIES = 3;

    @AutoClose
    private final RdmaProvider provider = IwarpProvider.open(IwarpOptions.DEFAULTS);

    private final RegisteredPool pool = new RegisteredPool(provider, (CALLS + REPLIES) * SIZE);
    private final List<ReceiveRequest> postedLater = new ArrayList<>();
    private final Own receives = new Own(pool, SIZE, CALLS, REPLIES);

    OwnReceivesTest() throws Exception {}

    @Test
    void twoArePostedAtFirstAndThereIsRoomForAll() throws Exception {
        Receives.Own own = (Receives.Own) receives.receives();
        assertThat(own.first()).hasSize(2);
        assertThat(own.capacity()).isEqualTo(CALLS + REPLIES);
        assertThat(receives.credits().grant(0)).isEqualTo(2);

        Own ofOneCall = new Own(pool, SIZE, 1, 0);
        assertThat(((Receives.Own) ofOneCall.receives()).first()).hasSize(1);
        assertThat(ofOneCall.credits().grant(0)).isEqualTo(1);
    }

    @Test
    void furtherOnesArePostedOnTheConnection() throws Exception {
        receives.established(connection());
        receives.expectReply();
        receives.credits().consume();
        receives.credits().consume();

        assertThat(receives.credits().grant(CALLS)).isEqualTo(4);
        assertThat(postedLater).hasSize(3);
    }

    @Test
    void aReplyThatCameMakesRoomForAnother() throws Exception {
        for (int i = 2; i < CALLS + REPLIES; i++) {
            receives.expectReply();
        }
        assertThatThrownBy(receives::expectReply).isInstanceOf(RdmaException.class);

        receives.replyCame();
        receives.expectReply();
    }

    @Test
    void theEndGivesTheMemoryBack() throws Exception {
        receives.disconnected();
        assertThat(pool.acquire((CALLS + REPLIES) * SIZE)).isNotNull();
    }

    private QueuePair connection() {
        return (QueuePair) Proxy.newProxyInstance(
                QueuePair.class.getClassLoader(), new Class<?>[] {QueuePair.class}, (proxy, method, arguments) -> {
                    assertThat(method.getName()).isEqualTo("postReceive");
                    postedLater.add((ReceiveRequest) arguments[0]);
                    return null;
                });
    }
}
