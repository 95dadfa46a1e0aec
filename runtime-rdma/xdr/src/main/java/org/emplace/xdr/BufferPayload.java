// SPDX-License-Identifier: Apache-2.0
package org.emplace.xdr;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A payload whose bytes are in a local buffer. */
final class BufferPayload implements Payload {
    private final ByteBuffer bytes;

    BufferPayload(ByteBuffer bytes) {
        this.bytes = bytes.asReadOnlyBuffer();
    }

    @Override
    public long length() {
        return bytes.remaining();
    }

    @Override
    public ByteBuffer buffer() {
        return bytes.slice();
    }

    @Override
    public CompletionStage<Void> fetchInto(ByteBuffer sink) {
        requireRoom(sink, bytes.remaining());
        sink.put(sink.position(), bytes, bytes.position(), bytes.remaining());
        return CompletableFuture.completedFuture(null);
    }

    static void requireRoom(ByteBuffer sink, int length) {
        if (sink.isReadOnly() || sink.remaining() < length) {
            throw new IllegalArgumentException(
                    "the sink is read-only or shorter than the payload's " + length + " bytes: " + sink);
        }
    }

    @Override
    public String toString() {
        return "Payload[" + length() + " bytes]";
    }
}
