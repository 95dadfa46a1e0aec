// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.auth.gss;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class ClientWindowTest {
    /** A call of the test, with its place and its number. */
    private static final class Call {
        private final ClientWindow window;
        private final ClientWindow.Place place = new ClientWindow.Place();
        private long number;

        Call(ClientWindow window) {
            this.window = window;
        }

        boolean enter() {
            return window.enter(place, this::encode);
        }

        void encode() {
            number = window.number(place);
        }

        boolean hasStarted() {
            return number != 0;
        }

        void leave() {
            window.leave(place);
        }
    }

    private static List<Call> entered(ClientWindow window, int count) {
        List<Call> calls = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Call call = new Call(window);
            assertThat(call.enter()).isTrue();
            calls.add(call);
        }
        return calls;
    }

    private static List<Boolean> started(List<Call> calls) {
        return calls.stream().map(Call::hasStarted).toList();
    }

    @Test
    void callsBeyondTheWindowWaitInTheirOrder() {
        ClientWindow window = new ClientWindow(2);
        List<Call> calls = entered(window, 5);
        assertThat(started(calls)).containsExactly(true, true, false, false, false);
        calls.get(0).leave();
        assertThat(started(calls)).containsExactly(true, true, true, false, false);
        calls.get(1).leave();
        calls.get(2).leave();
        assertThat(started(calls)).containsOnly(true);
        calls.get(3).leave();
        assertThat(entered(window, 1).get(0).number).isEqualTo(6);
    }

    /** A server that has seen number 4 discards number 1 (RFC 2203 section 5.3.3.1). */
    @Test
    void noNumberIsTheWindowAboveOneWithoutAReply() {
        ClientWindow window = new ClientWindow(3);
        List<Call> calls = entered(window, 4);
        calls.get(1).leave();
        calls.get(2).leave();
        assertThat(calls.get(3).hasStarted()).isFalse();
        calls.get(0).leave();
        assertThat(calls.get(3).number).isEqualTo(4);
        assertThat(started(entered(window, 3))).containsExactly(true, true, false);
    }

    /** They get their numbers when they are encoded, which may be much later. */
    @Test
    void callsWithoutANumberCountAsIfTheyHadTheNext() {
        ClientWindow window = new ClientWindow(2);
        Call early = new Call(window);
        Call late = new Call(window);
        assertThat(window.enter(late.place, () -> {})).isTrue();
        assertThat(early.enter()).isTrue();
        Call held = entered(window, 1).get(0);
        early.leave();
        assertThat(held.hasStarted()).isTrue();
        late.encode();
        assertThat(List.of(early.number, held.number, late.number)).containsExactly(1L, 2L, 3L);
    }

    @Test
    void aCallThatIsSentAgainHasItsLatestNumberOnly() {
        ClientWindow window = new ClientWindow(3);
        List<Call> calls = entered(window, 3);
        calls.get(0).encode();
        assertThat(calls.get(0).number).isEqualTo(4);
        calls.get(1).leave();
        Call fifth = entered(window, 1).get(0);
        assertThat(fifth.number).isEqualTo(5);
        Call sixth = entered(window, 1).get(0);
        assertThat(sixth.hasStarted()).isFalse();
        calls.get(2).leave();
        assertThat(sixth.number).isEqualTo(6);
        List.of(calls.get(0), fifth, sixth).forEach(Call::leave);
        sixth.encode();
        assertThat(started(entered(window, 4)))
                .as("one that has left holds up nobody")
                .containsExactly(true, true, true, false);
    }

    @Test
    void aHeldCallThatIsWithdrawnIsNotStarted() {
        ClientWindow window = new ClientWindow(1);
        List<Call> calls = entered(window, 3);
        calls.get(1).leave();
        assertThat(started(calls)).containsExactly(true, false, false);
        calls.get(0).leave();
        assertThat(started(calls)).containsExactly(true, false, true);
    }

    /** As when a connection has ended. */
    @Test
    void manyThatFailAtOnceDoNotNest() {
        ClientWindow window = new ClientWindow(1);
        AtomicInteger failed = new AtomicInteger();
        Call first = entered(window, 1).get(0);
        for (int i = 0; i < 16_000; i++) {
            ClientWindow.Place place = new ClientWindow.Place();
            window.enter(place, () -> {
                failed.incrementAndGet();
                window.leave(place);
            });
        }
        first.leave();
        assertThat(failed).hasValue(16_000);
    }

    /** As when memory is lacking. */
    @Test
    void oneThatThrowsDoesNotHoldUpTheOthers() {
        ClientWindow window = new ClientWindow(1);
        Call first = entered(window, 1).get(0);
        ClientWindow.Place broken = new ClientWindow.Place();
        window.enter(broken, () -> {
            window.leave(broken);
            throw new AssertionError("lacking");
        });
        Call before = entered(window, 1).get(0);
        first.leave();
        assertThat(before.hasStarted()).isTrue();
        Call after = entered(window, 1).get(0);
        before.leave();
        assertThat(after.hasStarted()).isTrue();
    }

    @Test
    void tooManyAreRefused() {
        ClientWindow window = new ClientWindow(1);
        int entered = 0;
        while (new Call(window).enter()) {
            entered++;
        }
        assertThat(entered).isEqualTo(1 + 16 * 1024);
    }

    @Test
    void noNumbersOfConcurrentCallsAreFartherApartThanTheWindow() throws InterruptedException {
        ClientWindow window = new ClientWindow(3);
        AtomicLong highest = new AtomicLong();
        AtomicLong farthest = new AtomicLong();
        CountDownLatch ended = new CountDownLatch(2000);
        ExecutorService callers = Executors.newFixedThreadPool(4);
        ExecutorService server = Executors.newFixedThreadPool(4);
        try {
            for (int i = 0; i < 2000; i++) {
                callers.execute(() -> {
                    ClientWindow.Place place = new ClientWindow.Place();
                    window.enter(place, () -> {
                        long number = window.number(place);
                        server.execute(() -> {
                            long latest = highest.accumulateAndGet(number, Math::max);
                            farthest.accumulateAndGet(latest - number, Math::max);
                            window.leave(place);
                            ended.countDown();
                        });
                    });
                });
            }
            assertThat(ended.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(farthest.get()).isBetween(0L, 2L);
        } finally {
            callers.shutdown();
            server.shutdown();
        }
    }
}
