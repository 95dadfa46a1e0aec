// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.responder;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletionStage;
import org.emplace.xdr.Payload;

/** An inline argument: a view of the message's memory. */
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
        call.useBegins();
        try {
            return Payload.of(bytes).fetchInto(sink);
        } finally {
            call.useEnded();
        }
    }

    @Override
    public String toString() {
        return "Payload[" + length() + " bytes inline]";
    }
}
