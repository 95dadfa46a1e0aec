// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.emplace.rdma.MemoryRegion;
import org.emplace.rdma.QueuePair;
import org.emplace.rdma.WorkRequest.Completion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Handlers that close their connection or provider, or throw an exception, in any of their methods. */
final class HandlersThatCloseOrThrowTest {
    enum Moment {
        ESTABLISHED,
        COMPLETED,
        DISCONNECTED
    }

    @ParameterizedTest
    @EnumSource(Moment.class)
    void theInitiatorsHandlerMayClose(Moment moment) throws Exception {
        closeIn(Acting.closing(moment), new RecordingHandler());
    }

    @ParameterizedTest
    @EnumSource(Moment.class)
    void theRespondersHandlerMayClose(Moment moment) throws Exception {
        closeIn(new RecordingHandler(), Acting.closing(moment));
    }

    private static void closeIn(RecordingHandler initiator, RecordingHandler responder) throws Exception {
        try (Pair pair = Pair.connected(initiator, responder)) {
            MemoryRegion memory = pair.initiator.region(16);
            pair.initiator.post(Side.send(50, memory));
            if (initiator instanceof Acting acting && acting.moment == Moment.DISCONNECTED) {
                pair.responder.queuePair().close();
            } else if (responder instanceof Acting acting && acting.moment == Moment.DISCONNECTED) {
                pair.initiator.queuePair().close();
            }
            initiator.end();
            responder.end();
            pair.another().greet();
        }
    }

    @Test
    void aProviderMayBeClosedByAHandler() throws Exception {
        CompletableFuture<Pair> known = new CompletableFuture<>();
        RecordingHandler closing = new RecordingHandler() {
            @Override
            void onCompleted(List<Completion> batch) {
                known.join().responder.provider.close();
            }
        };
        try (Pair pair = Pair.connected(new RecordingHandler(), closing)) {
            known.complete(pair);
            pair.initiator.post(Side.send(1, pair.initiator.region(16)));
            closing.end();
            pair.initiator.handler.end();
        }
    }

    @ParameterizedTest
    @CsvSource({"ESTABLISHED, false", "COMPLETED, false", "COMPLETED, true", "DISCONNECTED, false"})
    void aHandlerThatThrowsEndsOnlyItsOwnConnection(Moment moment, boolean error) throws Exception {
        RecordingHandler throwing = Acting.throwing(moment, error);
        try (Pair pair = Pair.connected(new RecordingHandler(), throwing)) {
            Pair other = pair.another();
            pair.initiator.post(Side.send(50, pair.initiator.region(16)));
            if (moment == Moment.DISCONNECTED) {
                pair.initiator.queuePair().close();
            }
            pair.initiator.handler.end();
            if (moment == Moment.COMPLETED) {
                assertThat(throwing.end())
                        .hasValueSatisfying(cause -> assertThat(cause).hasMessageContaining("handler threw"));
            }
            other.greet();
            pair.another().greet();
        }
    }

    /** Runs an action in the first call of one method. */
    private static final class Acting extends RecordingHandler {
        private final Moment moment;
        private final Consumer<RecordingHandler> action;
        private final AtomicBoolean done = new AtomicBoolean();

        private Acting(Moment moment, Consumer<RecordingHandler> action) {
            this.moment = moment;
            this.action = action;
        }

        static Acting closing(Moment moment) {
            return new Acting(moment, handler -> handler.known().close());
        }

        static Acting throwing(Moment moment, boolean error) {
            return new Acting(moment, handler -> {
                if (error) {
                    throw new StackOverflowError("thrown by the test");
                }
                throw new IllegalStateException("thrown by the test");
            });
        }

        @Override
        void onEstablished(QueuePair established) {
            at(Moment.ESTABLISHED);
        }

        @Override
        void onCompleted(List<Completion> batch) {
            at(Moment.COMPLETED);
        }

        @Override
        void onDisconnected() {
            at(Moment.DISCONNECTED);
        }

        private void at(Moment now) {
            if (now == moment && done.compareAndSet(false, true)) {
                action.accept(this);
            }
        }
    }
}
