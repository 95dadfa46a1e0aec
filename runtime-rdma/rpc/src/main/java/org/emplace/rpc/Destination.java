// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * Where one DDP-eligible result of one call goes. The bytes end there whichever way they came: directly where a Write chunk carried
 * them, by one counted copy where they came inline or over TCP. A result that is longer than its destination is the peer's violation.
 */
public sealed interface Destination {

    /**
     * Into the buffer's bytes between position and limit; its position and limit are not changed. Direct memory is registered for the
     * call, heap memory is staged and copied.
     *
     * @throws IllegalArgumentException if the buffer is read-only
     */
    static Destination into(ByteBuffer buffer) {
        if (buffer.isReadOnly()) {
            throw new IllegalArgumentException("a destination cannot be a read-only buffer");
        }
        return new InBuffer(buffer.slice());
    }

    /**
     * Into registered memory: the way without any set-up cost per call but the grant of access.
     *
     * @throws IndexOutOfBoundsException if the range is not within the buffer
     */
    static Destination into(RegisteredBuffer buffer, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, buffer.length());
        return new InRegistered(buffer, offset, length);
    }

    /** Into memory that the runtime allocates for the result and leaves to the garbage collector. */
    static Destination allocate() {
        return new Allocated();
    }

    /** See {@link Destination#into(ByteBuffer)}. */
    record InBuffer(ByteBuffer buffer) implements Destination {}

    /** See {@link Destination#into(RegisteredBuffer, int, int)}. */
    record InRegistered(RegisteredBuffer buffer, int offset, int length) implements Destination {}

    /** See {@link Destination#allocate}. */
    record Allocated() implements Destination {}
}
