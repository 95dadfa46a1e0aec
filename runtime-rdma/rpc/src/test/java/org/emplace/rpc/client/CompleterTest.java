// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.emplace.reactor.Interleavings.require;
import static org.emplace.rpc.Failures.assertFails;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.emplace.reactor.Interleavings;
import org.emplace.reactor.ManualClock;
import org.emplace.rpc.CallObserver;
import org.emplace.rpc.CallOptions;
import org.emplace.rpc.Destinations;
import org.emplace.rpc.Procedure;
import org.emplace.rpc.ProcedureBinding;
import org.emplace.rpc.RpcException;
import org.emplace.rpc.RpcProgram;
import org.emplace.rpc.client.PendingCalls.ReplyThreads;
import org.emplace.xdr.XdrCodec;
import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrEncoder;
import org.junit.jupiter.api.Test;

class CompleterTest {
    private static final XdrCodec<Integer> INT = new XdrCodec<>(XdrEncoder::writeInt, XdrDecoder::readInt);
    private static final Procedure<Integer, Integer> ECHO = Procedure.of(
            RpcProgram.of("TEST", 0x20000001, 1),
            1,
            "ECHO",
            INT,
            INT,
            ProcedureBinding.idempotent(value -> Integer.BYTES));
    private static final PendingCall<?, ?> CALL = callWith(new ReplyThreads() {});

    private static PendingCall<Integer, Integer> callWith(ReplyThreads threads) {
        return new PendingCalls(
                        "test",
                        CallObserver.NONE,
                        1 << 20,
                        new ManualClock(),
                        call -> CompletableFuture.completedFuture(null),
                        threads,
                        Runnable::run,
                        true)
                .open(ECHO, 1, Destinations.none(), CallOptions.DEFAULT);
    }

    private static void await(Completer completer) {
        try {
            completer.await();
        } catch (InterruptedException e) {
            // Otherwise the executor runs the work.
            Thread.interrupted();
        }
    }

    @Test
    void theWorkRunsOnceWhetherOrNotAThreadWaits() {
        Interleavings.explore(100, () -> {
            AtomicInteger done = new AtomicInteger();
            Completer completer = new Completer(CALL);
            Interleavings.race(
                    () -> await(completer),
                    () -> completer.complete(done::incrementAndGet, Runnable::run),
                    completer::over);
            require(done.get() == 1, "done so often: " + done.get());
        });
    }

    @Test
    void workThatIsLeftRunsOnceWhetherAThreadWaitsBeforeOrAfterward() {
        Interleavings.explore(100, () -> {
            AtomicInteger done = new AtomicInteger();
            Completer completer = new Completer(CALL);
            Interleavings.race(() -> await(completer), () -> {
                Thread waiting = completer.handOver(done::incrementAndGet);
                if (waiting == null) {
                    completer.run();
                } else {
                    completer.wake(waiting);
                }
            });
            require(done.get() == 1, "done so often: " + done.get());
        });
    }

    @Test
    void theWorkRunsOnceIfTheWaitingThreadIsInterrupted() {
        Interleavings.explore(100, () -> {
            AtomicInteger done = new AtomicInteger();
            Completer completer = new Completer(CALL);
            Thread waiting = new Thread(() -> await(completer));
            waiting.start();
            Interleavings.race(waiting::interrupt, () -> completer.complete(done::incrementAndGet, Runnable::run));
            Interleavings.race(() -> {
                try {
                    waiting.join();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
            require(done.get() == 1, "done so often: " + done.get());
        });
    }

    @Test
    void workThatFailsFailsItsCall() {
        PendingCall<Integer, Integer> call = callWith(new ReplyThreads() {});
        call.completeBy(
                () -> {
                    throw new StackOverflowError("as the test wants");
                },
                Runnable::run);
        assertFails(call::await, RpcException.Kind.BAD_REPLY).hasMessageContaining("as the test wants");
    }

    /** For example for lack of stack. */
    @Test
    void aThreadThatCannotWaitLeavesTheWorkToOthers() {
        PendingCall<Integer, Integer> call = callWith(new ReplyThreads() {
            @Override
            public void pollUntil(BooleanSupplier done) {
                throw new StackOverflowError("as the test wants");
            }
        });
        assertThatThrownBy(call::await).isInstanceOf(StackOverflowError.class);

        call.completeBy(() -> call.fail(RpcException.Kind.BAD_REPLY, "the work ran"), Runnable::run);
        assertThat(call.completion().toCompletableFuture()).isCompletedExceptionally();
    }
}
