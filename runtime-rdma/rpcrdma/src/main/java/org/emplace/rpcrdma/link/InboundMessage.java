// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.link;

import org.emplace.rpcrdma.header.Header;
import org.emplace.xdr.XdrDecoder;

/**
 * A message that has come in.
 *
 * @param header its header
 * @param received the memory that it is in
 */
public record InboundMessage(Header header, ReceivedMessage received) {

    /** At the RPC message that follows the header. */
    public XdrDecoder body() {
        return received.decoder();
    }

    /** Gives the memory back; see {@link ReceivedMessage#release}. */
    public void release() {
        received.release();
    }
}
