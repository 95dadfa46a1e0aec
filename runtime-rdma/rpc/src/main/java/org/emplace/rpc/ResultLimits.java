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

    /** Whether the number of chunks for an array is known without destinations. */
    boolean isLimited(int possible) {
        return Math.min(possible, chunks) < Integer.MAX_VALUE;
    }

    /** How many items can have chunks at all. */
    int places() {
        return Math.min(chunks, MOST_CHUNKS);
    }

    /** The most elements without destinations to provide chunks for, in all arrays together. */
    int elements() {
        return MOST_CHUNKS;
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
