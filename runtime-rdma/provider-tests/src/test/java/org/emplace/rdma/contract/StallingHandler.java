// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.contract;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.emplace.rdma.WorkRequest.Completion;

/** Blocks the provider's thread in the first call of {@code completed}, until {@link #release}. */
final class StallingHandler extends RecordingHandler {
    private final CountDownLatch stalled = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);

    @Override
    void onCompleted(List<Completion> batch) {
        stalled.countDown();
        await(released);
    }

    void awaitStall() {
        await(stalled);
    }

    void release() {
        released.countDown();
    }

    private static void await(CountDownLatch latch) {
        try {
            if (!latch.await(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError("the provider's thread was not blocked, or not released");
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
