// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.responder;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.emplace.rpcrdma.memory.PayloadSinks;
import org.emplace.xdr.Payload;

/** An argument that came with the message: a view of the memory that the message was received in. */
final class ArgumentPayload implements Payload {
    private final ByteBuffer bytes;
    private final IncomingRdmaCall call;

    ArgumentPayload(ByteBuffer bytes, IncomingRdmaCall call) {
        this.bytes = bytes;
        this.call = call;
    }

    @Override
    public long length() {
        return bytes.remaining();
    }

    @Override
    public ByteBuffer buffer() {
        call.requireUnanswered();
        return bytes.slice();
    }

    @Override
    public CompletionStage<Void> fetchInto(ByteBuffer sink) {
        PayloadSinks.requireRoom(sink, length());
        call.useBegins();
        try {
            sink.duplicate().put(bytes.slice());
        } finally {
            call.useEnded();
        }
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public String toString() {
        return "Payload[" + length() + " bytes inline]";
    }
}
