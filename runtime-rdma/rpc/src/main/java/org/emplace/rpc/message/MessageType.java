// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.message;

import java.nio.ByteBuffer;
import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrException;

/** The word after the xid of every message, which says whether it is a call or a reply. */
public final class MessageType {
    /** CALL. */
    public static final int CALL = 0;

    /** REPLY. */
    public static final int REPLY = 1;

    /** Bytes that a message has at least: xid and type. */
    public static final int MINIMUM_LENGTH = 8;

    private MessageType() {}

    /** The type of a message of at least {@link #MINIMUM_LENGTH} bytes, without reading it. */
    public static int of(ByteBuffer message) {
        return message.getInt(message.position() + 4);
    }

    /**
     * The type of the message ahead of a decoder, which stays where it is.
     *
     * @throws XdrException if what is ahead is shorter than {@link #MINIMUM_LENGTH}
     */
    public static int ahead(XdrDecoder message) throws XdrException {
        return message.peekInt(4);
    }

    /** The transaction id of a message of at least {@link #MINIMUM_LENGTH} bytes, without reading it. */
    public static int xidOf(ByteBuffer message) {
        return message.getInt(message.position());
    }
}
