// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.grpc;

import java.nio.ByteBuffer;

/**
 * A message: a range of bytes in an array.
 *
 * @param memory the array; not copied
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Block(byte[] memory, int offset, int length) {
    /** A message without bytes. */
    static final Block EMPTY = new Block(new byte[0], 0, 0);

    /** A READ request: a block that contains offset and length. */
    static Block range(int offset, int length) {
        byte[] bytes = new byte[2 * Integer.BYTES];
        ByteBuffer.wrap(bytes).putInt(offset).putInt(length);
        return new Block(bytes, 0, bytes.length);
    }

    /** The part of an array that a {@link #range} requests. */
    Block rangeOf(byte[] whole) {
        ByteBuffer range = ByteBuffer.wrap(memory, offset, length);
        return new Block(whole, range.getInt(), range.getInt());
    }
}
