// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen.mapping;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReference;
import org.emplace.rpc.Procedure;
import org.emplace.rpc.RpcService;
import org.emplace.rpc.ServerCall;
import org.emplace.xdr.EncodedMessage;
import org.emplace.xdr.EncodedMessage.ChunkMark;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrEncoder;
import org.jspecify.annotations.Nullable;

/** The server's side of a protocol: checks the arguments that come, and returns the results that were drawn. */
final class Served<A, R> {
    private final Procedure<A, R> procedure;
    private final boolean fetches;
    private final Area sources;
    private volatile @Nullable Exchange expected;
    private volatile int calls;
    private final AtomicReference<@Nullable String> fault = new AtomicReference<>();

    /** @param sources memory for results, which only one call uses at a time */
    Served(Procedure<A, R> procedure, boolean fetches, Area sources) {
        this.sources = sources;
        this.procedure = procedure;
        this.fetches = fetches;
    }

    RpcService service() {
        RpcService service = RpcService.builder(procedure.program())
                .answer(procedure, this::answer)
                .build();
        return fetches ? service.fetching(procedure) : service;
    }

    /** Sets the exchange of the next calls, which nobody else makes. */
    void expect(Exchange next) {
        fault.set(null);
        expected = next;
    }

    /** How many calls have come. */
    int calls() {
        return calls;
    }

    /** Requires that the arguments have come as they were sent. */
    void requireNoFault() throws Trial.Wrong {
        String wrong = fault.get();
        if (wrong != null) {
            throw new Trial.Wrong("arguments", wrong);
        }
    }

    private synchronized R answer(A arguments, ServerCall call) throws IOException {
        calls++;
        Exchange exchange = expected;
        if (exchange == null) {
            throw new IllegalStateException("nobody calls");
        }
        EncodedMessage came = encoded(procedure, arguments);
        ByteBuffer sent = exchange.arguments().encoding().bytes();
        if (fetches) {
            for (ChunkMark mark : came.marks()) {
                if (mark instanceof ChunkMark.PayloadMark item) {
                    ByteBuffer sink = ByteBuffer.allocateDirect((int) item.length());
                    item.payload().fetchInto(sink).toCompletableFuture().join();
                }
            }
        }
        int different = Bytes.mismatch(sent, came.unreduced());
        if (different >= 0) {
            fault.set("the server got other arguments than were sent, from byte " + different + " on");
        }
        sources.reset();
        return procedure
                .results()
                .reader()
                .read(new XdrDecoder(
                        exchange.results().encoding().bytes(),
                        new SourceMemory(
                                exchange.memory().at("server"), sources, sources, slice -> Payload.of(slice.bytes()))));
    }

    private static <A> EncodedMessage encoded(Procedure<A, ?> procedure, A arguments) {
        XdrEncoder out = XdrEncoder.onHeap();
        procedure.arguments().writer().write(out, arguments);
        return out.finish();
    }
}
