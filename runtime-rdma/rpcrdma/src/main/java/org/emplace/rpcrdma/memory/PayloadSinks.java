// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.memory;

import java.nio.ByteBuffer;

/** What {@link org.emplace.xdr.Payload#fetchInto} asks of a sink. */
public final class PayloadSinks {

    private PayloadSinks() {}

    /**
     * Refuses a sink that cannot take a payload.
     *
     * @throws IllegalArgumentException if the sink is read-only or has less than {@code length} bytes remaining
     */
    public static void requireRoom(ByteBuffer sink, long length) {
        if (sink.isReadOnly() || sink.remaining() < length) {
            throw new IllegalArgumentException(
                    "the sink is read-only or shorter than the payload's " + length + " bytes: " + sink);
        }
    }
}
