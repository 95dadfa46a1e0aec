// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.queuepair;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.emplace.rdma.WorkRequest;
import org.emplace.rdma.verbs.event.CompletionHandler;
import org.emplace.rdma.verbs.jni.NativeException;
import org.emplace.rdma.verbs.jni.NativeLibrary;
import org.emplace.reactor.EventLoop;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** For which completions of send requests an event is requested, and how the others are found. */
class SendNotificationTest {
    private static final SendItem AWAITED = new SendItem.Invalidation(7, () -> {});
    private static final SendItem SEND = SendItem.parts(new WorkRequest.Send(1, List.of(), OptionalInt.empty()), 1, 1)
            .get(0);

    private final Connection connection = new Connection();
    private final AtomicInteger armed = new AtomicInteger();
    private final EventLoop loop;
    private final SendNotification notification;

    @BeforeAll
    static void load() {
        assertThat(NativeLibrary.unavailable()).isEmpty();
    }

    SendNotificationTest() throws NativeException {
        CompletionHandler handler = new CompletionHandler("test", Duration.ZERO);
        loop = handler.loop();
        notification = new SendNotification(handler, connection, armed::incrementAndGet);
    }

    @AfterEach
    void stop() throws InterruptedException {
        loop.shutDown(Duration.ZERO);
        loop.await(Duration.ofSeconds(10));
    }

    @Test
    void anEventIsAskedForWhereSomebodyWaits() throws NativeException {
        notification.posting(AWAITED);
        notification.armIfNeeded();

        assertThat(armed).hasValue(1);
        assertThat(notification.isAwaited()).isTrue();
        notification.completed(AWAITED);
        assertThat(notification.isAwaited()).isFalse();
    }

    @Test
    void theEndOfASendIsLookedForWithoutAnEvent() throws Exception {
        notification.posting(SEND);
        notification.armIfNeeded();

        assertThat(armed).hasValue(0);
        assertThat(notification.isAwaited()).isFalse();
        assertThat(connection.isPolled()).isTrue();
        notification.completed(SEND);
    }

    @Test
    void theEndOfASendIsLookedForAlsoAfterTheEventThatWasForAnother() throws Exception {
        notification.posting(AWAITED);
        notification.armIfNeeded();
        notification.posting(SEND);
        notification.armIfNeeded();
        notification.completed(AWAITED);

        assertThat(connection.isPolled()).isTrue();
        notification.completed(SEND);
    }

    @Test
    void whatWaitsForRoomIsAwaited() throws Exception {
        notification.wantRoom(true);

        assertThat(notification.isAwaited()).isTrue();
        assertThat(connection.isPolled()).isTrue();
        notification.wantRoom(false);
        assertThat(notification.isAwaited()).isFalse();
    }

    @Test
    void nothingIsLookedForOnceAllHasEnded() throws Exception {
        notification.posting(SEND);
        notification.armIfNeeded();
        notification.completed(SEND);

        // The one scheduled look finds nothing, and schedules no other.
        Semaphore looked = new Semaphore(0);
        loop.execute(() -> loop.schedule(Duration.ofMillis(300), looked::release));
        assertThat(looked.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
        assertThat(connection.polled.availablePermits()).isZero();
    }

    /** Never has a completion. */
    private static final class Connection implements CompletionHandler.Source {
        private final Semaphore polled = new Semaphore(0);

        @Override
        public boolean poll() {
            polled.release();
            return false;
        }

        @Override
        public void arm() {}

        boolean isPolled() throws InterruptedException {
            return polled.tryAcquire(10, TimeUnit.SECONDS);
        }
    }
}
