// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.nio.ByteBuffer;
import org.emplace.xdr.Payload;

/**
 * Memory registered for direct placement. The garbage collector still owns it: {@link #close} only deregisters it, so a buffer that
 * escaped stays safe to use. Registration gives no peer access; access is granted for each call.
 */
public interface RegisteredBuffer extends AutoCloseable {

    /** The registered bytes, position 0, limit {@link #length}; a new view each time. */
    ByteBuffer buffer();

    /** Bytes registered. */
    int length();

    /**
     * A payload of a range of this memory, to be sent from where it is. The bytes must not change until the call completes.
     *
     * @throws IndexOutOfBoundsException if the range is not within the buffer
     * @throws IllegalStateException if the memory is no longer registered
     */
    Payload payload(int offset, int length);

    /** Deregisters. Calls in flight that use the memory fail. Idempotent. */
    @Override
    void close();
}
