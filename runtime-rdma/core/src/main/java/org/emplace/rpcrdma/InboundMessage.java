// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import java.nio.ByteBuffer;

/**
 * A message that has come in.
 *
 * @param header its header
 * @param body what follows the header
 * @param received the memory that both are in
 */
record InboundMessage(Header header, ByteBuffer body, ReceivedMessage received) {

    /** Gives the memory back. Idempotent. */
    void release() {
        received.release();
    }
}
