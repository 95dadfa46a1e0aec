// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.responder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaProvider;
import org.emplace.rdma.iwarp.IwarpOptions;
import org.emplace.rdma.iwarp.IwarpProvider;
import org.emplace.reactor.Timekeeper;
import org.emplace.rpc.MemoryExhaustedException;
import org.emplace.rpc.limits.MemoryShares;
import org.emplace.rpcrdma.link.TestLink;
import org.emplace.rpcrdma.memory.RegisteredPool;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** What a call's buffers count against its connection's share of a pool of 1 MiB. The inline threshold is 1024 bytes. */
final class CallMemoryTest {
    private static final int POOLED = 1 << 20;

    /** What all calls may hold. */
    private static final int FOR_CALLS = POOLED / 4 * 3;

    @AutoClose
    private final RdmaProvider provider = IwarpProvider.open(IwarpOptions.DEFAULTS);

    private final TestLink peer = new TestLink(provider, Timekeeper.system("test"));
    private final RegisteredPool pool = peer.link.memory().pool();
    private final MemoryShares.Share share = peer.link.share();
    private final IncomingRdmaCall call = ArgumentItemsTest.receivedCall(peer.link, peer.received());

    CallMemoryTest() throws Exception {}

    @Test
    void anAnswerCountsIfItIsLongerThanTheInlineThreshold() throws Exception {
        call.acquire(1024).release();
        assertThatShareIsHeld(0);

        call.acquire(1025).release();
        assertThatShareIsHeld(2048);
        call.acquire(4096).release();
        assertThatShareIsHeld(2048 + 4096);

        call.release();
        assertThatShareIsHeld(0);
    }

    @Test
    void whatTheCallKeepsCountsUntilItEnds() throws Exception {
        call.buffer(3000);
        call.buffer(100);
        assertThatShareIsHeld(4096 + 1024);
        assertThatThrownBy(() -> pool.acquire(POOLED)).isInstanceOf(RdmaException.class);

        call.release();
        assertThatShareIsHeld(0);
        assertThat(pool.acquire(POOLED)).isNotNull();
    }

    @Test
    void aCallCannotHoldMoreThanTheShare() throws Exception {
        call.buffer(POOLED / 2);
        assertThatNoBufferIsLeft(POOLED / 8);
        assertThatThereIsNone(() -> call.acquire(POOLED / 8));
        assertThatShareIsHeld(POOLED / 2);
    }

    @Test
    void whatThePoolDoesNotHaveDoesNotCount() throws Exception {
        pool.acquire(POOLED);
        assertThatNoBufferIsLeft(3000);
        assertThatShareIsHeld(0);

        assertThatThereIsNone(() -> call.acquire(3000));
        call.release();
        assertThatShareIsHeld(0);
    }

    private static void assertThatThereIsNone(ThrowingCallable acquiring) {
        assertThatThrownBy(acquiring)
                .isInstanceOfSatisfying(
                        RdmaException.class,
                        none -> assertThat(none.reason()).isEqualTo(RdmaException.Reason.NO_RESOURCES));
    }

    private void assertThatNoBufferIsLeft(int size) {
        assertThatThrownBy(() -> call.buffer(size))
                .isInstanceOfSatisfying(
                        MemoryExhaustedException.class,
                        none -> assertThatThereIsNone(() -> {
                            throw none.getCause();
                        }));
    }

    /** Checks that the share holds so many bytes: it may take more if a third of them is left then. */
    private void assertThatShareIsHeld(int bytes) throws IOException {
        int most = FOR_CALLS - bytes - (bytes + 2) / 3;
        share.charge(most);
        share.uncharge(most);
        assertThatThrownBy(() -> share.charge(most + 1)).isInstanceOf(IOException.class);
    }
}
