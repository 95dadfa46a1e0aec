// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.state;

import java.nio.ByteBuffer;

/**
 * A stateid (RFC 8881 section 8.2): a number that each change of the state increases, and 12 bytes that identify the state.
 *
 * @param seqid the number; 0 in a request means the current one
 * @param instance the first 4 of the bytes
 * @param number the other 8
 */
public record StateId(int seqid, int instance, long number) {
    /** How many bytes identify the state. */
    public static final int LENGTH = 12;

    /** The anonymous stateid: I/O without an open. */
    public static final StateId ANONYMOUS = new StateId(0, 0, 0);

    /** The READ bypass stateid: like {@link #ANONYMOUS}, but READ ignores share reservations. */
    public static final StateId READ_BYPASS = new StateId(-1, -1, -1);

    /** Stands for the current stateid of a COMPOUND. The program replaces it before it calls this package. */
    public static final StateId CURRENT = new StateId(1, 0, 0);

    /** Never valid. CLOSE returns it. */
    public static final StateId INVALID = new StateId(-1, 0, 0);

    /** The stateid with these {@link #LENGTH} bytes. */
    public static StateId of(int seqid, byte[] other) {
        if (other.length != LENGTH) {
            throw new IllegalArgumentException("a stateid has " + LENGTH + " bytes, not " + other.length);
        }
        ByteBuffer buffer = ByteBuffer.wrap(other);
        return new StateId(seqid, buffer.getInt(), buffer.getLong());
    }

    /** The bytes that identify the state. */
    public byte[] other() {
        return ByteBuffer.allocate(LENGTH).putInt(instance).putLong(number).array();
    }
}
