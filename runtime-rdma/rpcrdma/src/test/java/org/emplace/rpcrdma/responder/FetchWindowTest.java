// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.responder;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import org.emplace.reactor.Peer;
import org.emplace.rpc.limits.MemoryShares;
import org.emplace.rpcrdma.responder.ChunkFetcher.FetchWindow;
import org.junit.jupiter.api.Test;

/** How much may be fetched from a peer at a time: 100 bytes here. */
final class FetchWindowTest {
    private final MemoryShares shares = new MemoryShares(1 << 20);
    private final FetchWindow window =
            new FetchWindow(100, shares.connection(Peer.of(InetAddress.getLoopbackAddress())), Runnable::run);
    private final List<Integer> begun = new ArrayList<>();

    @Test
    void fetchesBeginWhileTheyFit() {
        assertThat(enter(60)).isTrue();
        assertThat(enter(40)).isTrue();
        assertThat(enter(1)).isFalse();
        assertThat(begun).isEmpty();

        window.leave(60);
        assertThat(begun).containsExactly(1);
    }

    @Test
    void oneFetchMayBeLonger() {
        assertThat(enter(1000)).isTrue();
        assertThat(enter(1)).isFalse();

        window.leave(1000);
        assertThat(begun).containsExactly(1);
    }

    @Test
    void fetchesBeginInTheirOrder() {
        enter(60);
        assertThat(enter(70)).isFalse();
        assertThat(enter(10)).as("would fit, but another waits").isFalse();

        window.leave(60);
        assertThat(begun).containsExactly(70, 10);
    }

    @Test
    void aFetchThatWaitedCountsFromItsBeginning() {
        enter(100);
        enter(60);
        enter(60);
        window.leave(100);
        assertThat(begun).containsExactly(60);

        window.leave(60);
        assertThat(begun).containsExactly(60, 60);
    }

    @Test
    void nothingWaitsOnceTheConnectionIsOver() {
        enter(100);
        enter(60);
        enter(70);
        window.disconnected();
        assertThat(begun).containsExactly(60, 70);

        assertThat(enter(1000)).isTrue();
    }

    private boolean enter(int bytes) {
        return window.enter(bytes, bytes, () -> begun.add(bytes));
    }
}
