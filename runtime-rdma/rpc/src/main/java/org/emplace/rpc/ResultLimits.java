// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import org.jspecify.annotations.Nullable;

/**
 * What limits the memory for the results of one call.
 *
 * @param chunks the most Write chunks
 * @param allocation the most bytes that the runtime allocates for one item
 * @param unbounded the bytes that it allocates for an item that the protocol does not limit
 */
public record ResultLimits(int chunks, long allocation, long unbounded) {

    /** The most bytes of an item. Its destination limits it; for one that is allocated, this object does. */
    long room(long size, @Nullable Destination named) {
        if (named != null && !(named instanceof Destination.Allocated)) {
            return size == ResultOrder.UNBOUNDED ? named.capacity() : Math.min(size, named.capacity());
        }
        return Math.min(allocation, size == ResultOrder.UNBOUNDED ? unbounded : size);
    }
}
