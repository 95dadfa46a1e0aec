// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.link;

import java.nio.ByteBuffer;
import org.emplace.rpcrdma.header.Header;

/**
 * A message that has come in.
 *
 * @param header its header
 * @param body what follows the header
 * @param received the memory that both are in
 */
public record InboundMessage(Header header, ByteBuffer body, ReceivedMessage received) {

    /** Gives the memory back. Idempotent. */
    public void release() {
        received.release();
    }
}
