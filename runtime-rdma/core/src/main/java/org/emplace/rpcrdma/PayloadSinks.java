// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import java.nio.ByteBuffer;

/** What {@link org.emplace.xdr.Payload#fetchInto} asks of a sink. */
final class PayloadSinks {

    private PayloadSinks() {}

    static void requireRoom(ByteBuffer sink, long length) {
        if (sink.isReadOnly() || sink.remaining() < length) {
            throw new IllegalArgumentException(
                    "the sink is read-only or shorter than the payload's " + length + " bytes: " + sink);
        }
    }
}
