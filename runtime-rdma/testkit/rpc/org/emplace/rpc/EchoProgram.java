// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrCodec;
import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrEncoder;

/** A program as the compiler would generate it, small enough to be written by hand. */
final class EchoProgram {
    static final RpcProgram PROGRAM = RpcProgram.of("ECHO", 0x2000_0001L, 3);

    private static final XdrCodec<Integer> INT = new XdrCodec<>(XdrEncoder::writeInt, XdrDecoder::readInt);
    private static final XdrCodec<Payload> DATA =
            new XdrCodec<>(XdrEncoder::writePayload, in -> in.readPayload(0xffff_ffffL));

    private static final XdrCodec<Integer> NOTHING = new XdrCodec<>((out, unused) -> {}, in -> 0);

    /** Has no handler. */
    static final Procedure<Integer, Integer> NULL = procedure(0, "NULL", NOTHING, NOTHING, false, ResultOrder.none());

    /** Returns its argument. */
    static final Procedure<Integer, Integer> ECHO = procedure(1, "ECHO", INT, INT, false, ResultOrder.none());

    /** Returns the data. */
    static final Procedure<Payload, Payload> MIRROR = procedure(2, "MIRROR", DATA, DATA, true, data());

    /** Returns the given number of bytes. */
    static final Procedure<Integer, Payload> READ = procedure(3, "READ", INT, DATA, false, data());

    /** Throws. */
    static final Procedure<Integer, Integer> THROW = procedure(4, "THROW", INT, INT, false, ResultOrder.none());

    /** Never replies. */
    static final Procedure<Integer, Integer> NEVER = procedure(5, "NEVER", INT, INT, false, ResultOrder.none());

    /** Returns the numbers below the given one, which clients of this program do not read. */
    static final Procedure<Integer, Integer> COUNT =
            procedure(6, "COUNT", INT, new XdrCodec<>(EchoProgram::count, in -> 0), false, ResultOrder.none());

    /** Not served. */
    static final Procedure<Integer, Integer> UNSERVED = procedure(9, "UNSERVED", INT, INT, false, ResultOrder.none());

    private EchoProgram() {}

    static RpcService service() {
        return service((value, call) -> CompletableFuture.completedFuture(value));
    }

    static RpcService service(RpcService.AsyncHandling<Integer, Integer> echo) {
        return RpcService.builder(PROGRAM)
                .handleAsync(ECHO, echo)
                .handle(MIRROR, (data, call) -> data)
                .handle(READ, (size, call) -> Payload.of(pattern(call.buffer(size))))
                .handle(THROW, EchoProgram::fail)
                .handleAsync(NEVER, (value, call) -> new CompletableFuture<>())
                .handle(COUNT, (numbers, call) -> numbers)
                .build();
    }

    /** Echoes when the test allows it. */
    static RpcService heldBy(CountDownLatch release) {
        return service((value, call) -> {
            release.await();
            return CompletableFuture.completedFuture(value);
        });
    }

    private static void count(XdrEncoder out, int numbers) {
        for (int i = 0; i < numbers; i++) {
            out.writeInt(i);
        }
    }

    /** Each echo enables calls to the client, and returns what the client echoes. */
    static RpcService callingBack() {
        return service((value, call) -> {
            call.connection().enableBackwardCalls();
            return call.connection()
                    .call(ECHO, value, Destinations.none(), CallOptions.DEFAULT)
                    .completion();
        });
    }

    private static Integer fail(Integer value, ServerCall call) {
        throw new IllegalStateException("as the test wants it");
    }

    /** Calls ECHO. */
    static int echo(RpcConnection connection, int value) throws RpcException, InterruptedException {
        return connection
                .call(ECHO, value, Destinations.none(), Loopback.OPTIONS)
                .await();
    }

    /** Fills a buffer with bytes that depend on their position. */
    static ByteBuffer pattern(ByteBuffer buffer) {
        for (int i = 0; i < buffer.capacity(); i++) {
            buffer.put(i, (byte) (i * 31));
        }
        return buffer;
    }

    static ByteBuffer pattern(int size) {
        return pattern(ByteBuffer.allocate(size));
    }

    private static <A> ResultOrder<A, Payload> data() {
        return ResultOrder.payload(0, "data", (arguments, i) -> ResultOrder.UNBOUNDED, data -> data);
    }

    private static <A, R> Procedure<A, R> procedure(
            long number,
            String name,
            XdrCodec<A> arguments,
            XdrCodec<R> results,
            boolean argumentsEligible,
            ResultOrder<A, R> order) {
        ProcedureBinding<A, R> binding = ProcedureBinding.<A, R>idempotent(values -> ProcedureBinding.UNBOUNDED)
                .withReadChunks(argumentsEligible ? 1 : 0)
                .withWriteChunks(1, order);
        return Procedure.of(PROGRAM, number, name, arguments, results, binding);
    }
}
