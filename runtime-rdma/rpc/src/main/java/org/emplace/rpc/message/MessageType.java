// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.message;

import java.nio.ByteBuffer;
import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrException;

/** The type of an RPC message, call or reply, in the word after the xid. */
public final class MessageType {
    /** CALL. */
    public static final int CALL = 0;

    /** REPLY. */
    public static final int REPLY = 1;

    /** The shortest message in bytes: xid and type. */
    public static final int MINIMUM_LENGTH = 8;

    private MessageType() {}

    /**
     * Returns the type of a message of at least {@link #MINIMUM_LENGTH} bytes, without changing the buffer's position.
     */
    public static int of(ByteBuffer message) {
        return message.getInt(message.position() + 4);
    }

    /**
     * Returns the type of the message at a decoder's position, which does not change.
     *
     * @throws XdrException if the message is shorter than {@link #MINIMUM_LENGTH}
     */
    public static int ahead(XdrDecoder message) throws XdrException {
        return message.peekInt(4);
    }

    /**
     * Returns the xid of a message of at least {@link #MINIMUM_LENGTH} bytes, without changing the buffer's position.
     */
    public static int xidOf(ByteBuffer message) {
        return message.getInt(message.position());
    }
}
