// SPDX-License-Identifier: Apache-2.0
package org.emplace.interop;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.emplace.rpc.Procedure;
import org.emplace.rpc.RpcService;
import org.emplace.rpc.RpcService.Handler;
import org.emplace.rpc.ServerCall;
import org.emplace.xdr.EncodedMessage;
import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrEncoder;

/** Answers every call as Linux answered it. The recorded results are decoded and encoded again. */
final class LinuxAnswers {
    /** Bytes from the xid to the results of a reply with an AUTH_NONE verifier. */
    private static final int REPLY_HEADER = 24;

    private final Map<Integer, Exchange> exchanges;

    private final List<Procedure<?, ?>> procedures;

    /** @param procedures the procedures called, of one program and version */
    LinuxAnswers(Recording recording, List<Procedure<?, ?>> procedures) {
        exchanges = recording.exchanges().stream().collect(Collectors.toMap(Exchange::xid, Function.identity()));
        this.procedures = procedures;
    }

    RpcService service() {
        Procedure<?, ?> first = procedures.get(0);
        return new RpcService(
                first.program(), procedures.stream().collect(Collectors.toMap(Procedure::number, this::handler)));
    }

    private <A, R> Handler<A, R> handler(Procedure<A, R> procedure) {
        return new Handler<>(procedure, (arguments, call) -> answer(procedure, arguments, call));
    }

    private <A, R> CompletionStage<R> answer(Procedure<A, R> procedure, A arguments, ServerCall call)
            throws IOException {
        Exchange exchange = Objects.requireNonNull(exchanges.get(call.xid()));
        requireSame(procedure, arguments, exchange.rpcCall());
        XdrDecoder results = new XdrDecoder(exchange.rpcReply().position(REPLY_HEADER));
        R decoded = procedure.results().reader().read(results);
        results.requireEnd();
        return CompletableFuture.completedFuture(decoded);
    }

    /** Checks that the arguments, encoded again, are the end of the recorded call. */
    private static <A, R> void requireSame(Procedure<A, R> procedure, A arguments, ByteBuffer recorded)
            throws IOException {
        XdrEncoder out = XdrEncoder.onHeap();
        procedure.arguments().writer().write(out, arguments);
        EncodedMessage message = out.finish();
        ByteBuffer again = ByteBuffer.allocate((int) message.unreducedLength());
        message.unreduced().forEach(again::put);
        again.flip();
        if (!recorded.position(recorded.limit() - again.remaining()).equals(again)) {
            throw new IOException(procedure + ": the arguments are not encoded as Linux does");
        }
    }
}
