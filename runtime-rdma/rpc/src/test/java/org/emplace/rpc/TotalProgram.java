// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.emplace.RpcServer;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrCodec;
import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrEncoder;

/** A program whose procedures show how often they have run: each adds its argument to a total. */
final class TotalProgram {
    static final RpcProgram PROGRAM = RpcProgram.of("TOTAL", 0x2000_0002L, 1);

    /** Adds to the total, and returns the new total. */
    static final int ADD = 1;

    /** The same, but replies when the test allows it. */
    static final int ADD_LATER = 2;

    /** The same, but declared idempotent. */
    static final int ADD_TWICE = 3;

    /** Adds to the total and fails. */
    static final int FAIL = 4;

    /** Adds to the total and reports that the procedure is unavailable. */
    static final int UNAVAILABLE = 5;

    /** Adds to the total, and returns that many words. */
    static final int FILL = 6;

    /** Adds to the total when the test allows it. */
    static final int STUCK = 7;

    /** Adds to the total, later, and returns data that cannot be read. */
    static final int GIVE_UNREADABLE = 8;

    private static final XdrCodec<Integer> INT = new XdrCodec<>(XdrEncoder::writeInt, XdrDecoder::readInt);
    private static final XdrCodec<List<Integer>> INTS = new XdrCodec<>(
            (out, values) -> out.writeArray(values, XdrEncoder::writeInt),
            in -> in.readArray(XdrDecoder.UNBOUNDED, Integer.BYTES, XdrDecoder::readInt));

    private static final XdrCodec<Payload> DATA =
            new XdrCodec<>(XdrEncoder::writePayload, in -> in.readPayload(XdrDecoder.UNBOUNDED));

    final AtomicInteger total = new AtomicInteger();
    final Queue<CompletableFuture<Integer>> later = new ConcurrentLinkedQueue<>();
    final CountDownLatch letGo = new CountDownLatch(1);

    RpcService service() {
        return RpcService.builder(PROGRAM)
                .handle(procedure(ADD, INT, false), (value, call) -> total.addAndGet(value))
                .handleAsync(procedure(ADD_LATER, INT, false), (value, call) -> {
                    CompletableFuture<Integer> added = new CompletableFuture<>();
                    later.add(added);
                    return added.thenApply(any -> total.addAndGet(value));
                })
                .handleAsync(procedure(GIVE_UNREADABLE, DATA, false), (value, call) -> {
                    CompletableFuture<Integer> added = new CompletableFuture<>();
                    later.add(added);
                    return added.thenApply(any -> {
                        total.addAndGet(value);
                        return new Unreadable();
                    });
                })
                .handle(procedure(ADD_TWICE, INT, true), (value, call) -> total.addAndGet(value))
                .handle(procedure(FAIL, INT, false), (value, call) -> {
                    total.addAndGet(value);
                    throw new IllegalStateException("as the test wants it");
                })
                .handle(procedure(UNAVAILABLE, INT, false), (value, call) -> {
                    total.addAndGet(value);
                    throw new ProcedureUnavailableException();
                })
                .handle(procedure(FILL, INTS, false), (value, call) -> {
                    total.addAndGet(value);
                    return Collections.nCopies(value, 0);
                })
                .handle(procedure(STUCK, INT, false), (value, call) -> {
                    letGo.await();
                    return total.addAndGet(value);
                })
                .build();
    }

    private static <R> Procedure<Integer, R> procedure(int number, XdrCodec<R> results, boolean idempotent) {
        return Procedure.of(
                PROGRAM,
                number,
                "PROCEDURE" + number,
                INT,
                results,
                idempotent
                        ? ProcedureBinding.idempotent(args -> ProcedureBinding.UNBOUNDED)
                        : ProcedureBinding.nonIdempotent(args -> ProcedureBinding.UNBOUNDED));
    }

    RpcServer.Builder builder() {
        return Loopback.builder(service());
    }

    static void send(RawTcpPeer peer, int xid, int procedure, int... arguments) throws Exception {
        peer.send(xid, PROGRAM.number(), PROGRAM.version(), procedure, arguments);
    }

    static int[] call(RawTcpPeer peer, int xid, int procedure, int... arguments) throws Exception {
        send(peer, xid, procedure, arguments);
        return peer.receive();
    }

    /** Sends a call that gets no reply yet. The reply to the next one shows that it has been handled. */
    static void sendAndAwaitItsTurn(RawTcpPeer peer, int xid, int procedure, int argument) throws Exception {
        send(peer, xid, procedure, argument);
        call(peer, ~xid, ADD_TWICE, 0);
    }

    void completeLater() {
        later.remove().complete(0);
    }

    /** Like data in the memory of a peer that has gone. */
    private static final class Unreadable implements Payload {
        @Override
        public long length() {
            return 4;
        }

        @Override
        public ByteBuffer buffer() throws IOException {
            throw new IOException("as the test wants it");
        }

        @Override
        public CompletionStage<Void> fetchInto(ByteBuffer sink) {
            return CompletableFuture.failedFuture(new IOException("as the test wants it"));
        }
    }
}
