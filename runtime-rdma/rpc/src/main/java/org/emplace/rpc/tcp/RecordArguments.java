// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.tcp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletionStage;
import org.emplace.xdr.EligibleItems;
import org.emplace.xdr.Payload;
import org.jspecify.annotations.Nullable;

/** The payloads in the arguments of one call: all in its record, and to be used until the call is answered. */
final class RecordArguments implements EligibleItems {
    private volatile boolean answered;

    @Override
    public @Nullable Payload chunkAt(long position, long length) {
        return null;
    }

    @Override
    public Payload inline(ByteBuffer bytes) {
        return new Argument(Payload.of(bytes));
    }

    void answered() {
        answered = true;
    }

    private final class Argument implements Payload {
        private final Payload bytes;

        Argument(Payload bytes) {
            this.bytes = bytes;
        }

        @Override
        public long length() {
            return bytes.length();
        }

        @Override
        public ByteBuffer buffer() throws IOException {
            requireUnanswered();
            return bytes.buffer();
        }

        @Override
        public CompletionStage<Void> fetchInto(ByteBuffer sink) {
            requireUnanswered();
            return bytes.fetchInto(sink);
        }

        private void requireUnanswered() {
            if (answered) {
                throw new IllegalStateException("a payload of the arguments was used after its call had been answered");
            }
        }

        @Override
        public String toString() {
            return bytes.toString();
        }
    }
}
