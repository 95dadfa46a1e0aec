// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import org.jspecify.annotations.Nullable;

/**
 * What limits the memory for the results of one call.
 *
 * @param chunks the most Write chunks; {@link Integer#MAX_VALUE} without a limit
 * @param allocation the most bytes that the runtime allocates for one item
 * @param unbounded the bytes that it allocates for an item that the protocol does not limit
 */
public record ResultLimits(int chunks, int allocation, int unbounded) {

    /** More than the header of a call has room for. */
    private static final int MOST_CHUNKS = 1024;

    /**
     * The number of elements to provide chunks for if there are no destinations.
     *
     * @param possible the largest number of elements; {@link Integer#MAX_VALUE} without a limit
     */
    int elements(int possible) {
        int limit = Math.min(possible, chunks);
        return limit == Integer.MAX_VALUE ? 0 : Math.min(limit, MOST_CHUNKS);
    }

    /** The most bytes of an item. Its destination limits it; for one that is allocated, this object does. */
    int room(long size, @Nullable Destination named) {
        if (named != null) {
            long capacity = Math.min(named.capacity(), Integer.MAX_VALUE);
            return (int) (size == ResultOrder.UNBOUNDED ? capacity : Math.min(size, capacity));
        }
        return (int) Math.min(allocation, size == ResultOrder.UNBOUNDED ? unbounded : size);
    }

    /** The most bytes of an item in a reply, for which its destination may be too small. */
    int inReply(long size, int room) {
        return size == ResultOrder.UNBOUNDED ? room : Math.max(room, (int) Math.min(allocation, size));
    }
}
