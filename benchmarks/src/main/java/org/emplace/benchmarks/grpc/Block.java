// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.grpc;

import java.nio.ByteBuffer;

/**
 * A message: bytes somewhere in an array.
 *
 * @param memory where they are, not copied
 */
@SuppressWarnings("ArrayRecordComponent") // compared by nobody
record Block(byte[] memory, int offset, int length) {
    /** A message without bytes. */
    static final Block EMPTY = new Block(new byte[0], 0, 0);

    /** What a READ asks for. */
    static Block range(int offset, int length) {
        byte[] bytes = new byte[2 * Integer.BYTES];
        ByteBuffer.wrap(bytes).putInt(offset).putInt(length);
        return new Block(bytes, 0, bytes.length);
    }

    /** The part of a memory that a {@link #range} asks for. */
    Block rangeOf(byte[] whole) {
        ByteBuffer range = ByteBuffer.wrap(memory, offset, length);
        return new Block(whole, range.getInt(), range.getInt());
    }
}
