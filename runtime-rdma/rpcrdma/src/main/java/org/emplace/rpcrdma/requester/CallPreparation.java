// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.requester;

import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import org.emplace.rpc.ProcedureBinding;
import org.emplace.rpc.RpcException;
import org.emplace.rpc.transport.PendingCall;
import org.emplace.rpcrdma.header.HeaderSize;
import org.emplace.rpcrdma.header.InlineThresholds;
import org.emplace.rpcrdma.link.CallDirection;
import org.emplace.rpcrdma.link.Link;
import org.emplace.rpcrdma.memory.MessageMemory;
import org.emplace.rpcrdma.memory.PooledStream;
import org.emplace.xdr.EncodedMessage;
import org.emplace.xdr.XdrEncoder;

/** Encodes a call and decides its form and what is provided for its reply. */
final class CallPreparation {

    private CallPreparation() {}

    /** @throws RpcException if the arguments cannot be encoded, no memory is left for them, or the message cannot travel in this direction */
    static <A> OutgoingCall prepare(PendingCall<A, ?> call, Link link, CallDirection direction) throws RpcException {
        InlineThresholds thresholds = link.thresholds();
        PooledStream stream = new PooledStream(link.memory().pool(), thresholds.send());
        try {
            EncodedMessage message = call.encode(new XdrEncoder(stream));
            ReplyProvision provision = provision(call, thresholds, direction);
            CallForm form = CallForm.of(message, provision, thresholds.send(), readChunkLimit(call, direction));
            if (direction == CallDirection.BACKWARD && form instanceof CallForm.LongCall) {
                throw call.failure(
                        RpcException.Kind.NO_RESOURCES,
                        "the message has " + message.unreducedLength()
                                + " bytes, backward-direction calls go inline only, " + "in at most "
                                + thresholds.send() + " bytes with the header",
                        null);
            }
            MessageMemory memory = new MessageMemory(link.memory(), stream, call.tally());
            return new OutgoingCall(call, message, form, provision, link.memory(), memory);
        } catch (UncheckedIOException exhausted) {
            stream.release();
            throw call.failure(
                    RpcException.Kind.NO_RESOURCES,
                    "cannot be sent: "
                            + Objects.requireNonNull(exhausted.getCause()).getMessage(),
                    exhausted);
        } catch (RpcException | RuntimeException | Error failure) {
            stream.release();
            throw failure;
        }
    }

    private static <A> ReplyProvision provision(
            PendingCall<A, ?> call, InlineThresholds thresholds, CallDirection direction) {
        if (direction == CallDirection.BACKWARD) {
            return ReplyProvision.INLINE;
        }
        ProcedureBinding<A> binding = call.procedure().binding();
        List<Long> eligible = binding.resultSizes().apply(call.arguments());
        int chunks = binding.resultsEligible() ? binding.writeChunkLimit() : 0;
        int fitting = HeaderSize.mostWriteChunks(Math.min(thresholds.send(), thresholds.receive()));
        return ReplyProvision.of(eligible, call.replyBound(), Math.min(chunks, fitting), thresholds.receive());
    }

    private static int readChunkLimit(PendingCall<?, ?> call, CallDirection direction) {
        return direction == CallDirection.FORWARD ? call.procedure().binding().readChunkLimit() : 0;
    }
}
