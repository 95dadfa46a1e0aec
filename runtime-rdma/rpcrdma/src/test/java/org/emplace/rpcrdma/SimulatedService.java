// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.emplace.rpc.Procedure;
import org.emplace.rpc.ProcedureBinding;
import org.emplace.rpc.RpcService;
import org.emplace.rpcrdma.Blobs.Items;
import org.emplace.rpcrdma.simulation.Schedule;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrCodec;
import org.emplace.xdr.XdrOpaque;

/**
 * The procedures of {@link Blobs}, but not idempotent, so that each call has its effect once at most, which the service checks. It counts the effects by the
 * number that each call carries, and answers at once or some time later.
 */
final class SimulatedService {
    static final Procedure<Items, Long> PUT = once(Blobs.PUT);
    static final Procedure<Items, Items> SWAP = once(Blobs.SWAP);
    static final Procedure<XdrOpaque, XdrOpaque> ECHO = once(Blobs.ECHO);
    /** Is answered by {@link #answerHeld}. */
    static final Procedure<Void, Void> HOLD = Procedure.of(
            Blobs.PROGRAM, 5, "HOLD", XdrCodec.VOID, XdrCodec.VOID, ProcedureBinding.idempotent(none -> 0));

    private final Schedule schedule;
    private final Map<Long, Integer> effects = new HashMap<>();
    private final Deque<CompletableFuture<Void>> held = new ArrayDeque<>();

    SimulatedService(Schedule schedule) {
        this.schedule = schedule;
    }

    private static <A, R> Procedure<A, R> once(Procedure<A, R> procedure) {
        ProcedureBinding<A, R> binding = procedure.binding();
        return Procedure.of(
                procedure.program(),
                procedure.number(),
                procedure.name(),
                procedure.arguments(),
                procedure.results(),
                ProcedureBinding.<A, R>nonIdempotent(binding.replyBound())
                        .withReadChunks(binding.readChunkLimit())
                        .withWriteChunks(binding.writeChunkLimit(), binding.results())
                        .withViolation(binding.violation()));
    }

    RpcService service() {
        return new RpcService(
                        Blobs.PROGRAM,
                        Map.of(
                                1L,
                                Blobs.handler(PUT, (args, call) -> later(args.tag(), length(args))),
                                3L,
                                Blobs.handler(SWAP, (args, call) -> swap(args)),
                                4L,
                                Blobs.handler(ECHO, (args, call) -> later(number(args), args)),
                                5L,
                                Blobs.handler(HOLD, (none, call) -> hold())))
                .handlingOnLoop(HOLD);
    }

    /** How often the call of a number has taken effect. */
    int effectsOf(long number) {
        return effects.getOrDefault(number, 0);
    }

    /** How many calls of HOLD wait. */
    int held() {
        return held.size();
    }

    /** Answers the call of HOLD that has waited longest. */
    void answerHeld() {
        held.remove().complete(null);
    }

    private CompletionStage<Items> swap(Items arguments) throws IOException {
        length(arguments);
        return later(arguments.tag(), arguments);
    }

    private CompletionStage<Void> hold() {
        CompletableFuture<Void> stage = new CompletableFuture<>();
        held.add(stage);
        return stage;
    }

    /** A call takes effect, and is answered at once or some time later. */
    private <R> CompletionStage<R> later(long number, R results) {
        int times = effects.merge(number, 1, Integer::sum);
        schedule.note("call " + number + " takes effect");
        if (times > 1) {
            schedule.violated("call " + number + " has taken effect " + times + " times");
        }
        CompletableFuture<R> stage = new CompletableFuture<>();
        if (schedule.chance(50)) {
            stage.complete(results);
        } else {
            schedule.soon(() -> stage.complete(results));
        }
        return stage;
    }

    private long length(Items arguments) throws IOException {
        long length = 0;
        for (Payload item : arguments.items()) {
            if (!item.buffer().equals(Blobs.pattern((int) item.length()))) {
                schedule.violated("call " + arguments.tag() + " came with other bytes than were sent");
            }
            length += item.length();
        }
        return length;
    }

    private static long number(XdrOpaque bytes) {
        return bytes.asReadOnlyBuffer().getInt();
    }
}
