// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

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

    /** How many chunks the binding states for results of any number; 0 if it states none. */
    int stated() {
        return chunks == Integer.MAX_VALUE ? 0 : places();
    }

    /** The most bytes of an item with a destination of this capacity. */
    int room(long size, long capacity) {
        long most = Math.min(capacity, Integer.MAX_VALUE);
        return (int) (size == ResultOrder.UNBOUNDED ? most : Math.min(size, most));
    }

    /** The bytes that the runtime allocates for an item without a destination. */
    int allocated(long size) {
        return (int) Math.min(allocation, size == ResultOrder.UNBOUNDED ? unbounded : size);
    }

    /** The most bytes of an item in a reply, for which its destination may be too small. */
    int inReply(long size, int room) {
        return size == ResultOrder.UNBOUNDED ? room : Math.max(room, (int) Math.min(allocation, size));
    }
}
