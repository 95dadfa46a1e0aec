// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.state;

import java.nio.ByteBuffer;

/** The identifier of a session: 16 bytes in the protocol. Half of it is random, so that others cannot guess it. */
public record SessionId(long clientId, long secret) {
    /** The bytes in the protocol. */
    public static final int LENGTH = 16;

    /** The identifier with these {@link #LENGTH} bytes. */
    public static SessionId of(byte[] bytes) {
        if (bytes.length != LENGTH) {
            throw new IllegalArgumentException("a session id has " + LENGTH + " bytes, not " + bytes.length);
        }
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        return new SessionId(buffer.getLong(), buffer.getLong());
    }

    /** Its bytes. */
    public byte[] bytes() {
        return ByteBuffer.allocate(LENGTH).putLong(clientId).putLong(secret).array();
    }
}
