// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import org.jspecify.annotations.Nullable;

/**
 * The memory that a call provides for the n-th eligible item of its reply. It is the memory of the element that is the
 * n-th one if all are present. If earlier ones are absent, a later element's item lands here, which may be larger.
 */
public final class ResultPlace {
    private int item = ResultItem.ENCODED;
    private int element = ResultLayout.NO_ELEMENT;
    private @Nullable Destination named;
    /** The room for the element's own item. */
    private int own;

    private int size;
    private int largest;
    private boolean canBeUnplaced;

    ResultPlace() {}

    /**
     * Takes an item into account that is here if all are present. Of several, a payload with a destination has the memory;
     * of several such, or of payloads without one, that with the most room.
     *
     * @param bytes the room for it
     * @param inReply the most bytes of the item in a reply
     */
    void mayHold(ResultItem<?, ?> other, int otherElement, @Nullable Destination destination, int bytes, int inReply) {
        boolean isFirst = element == ResultLayout.NO_ELEMENT;
        boolean isLarger = (named == null) == (destination == null) ? bytes > own : named == null;
        if (isFirst || (other.isPayload() && (item == ResultItem.ENCODED || isLarger))) {
            item = other.item;
            element = otherElement;
            named = destination;
            own = bytes;
        }
        largest = Math.max(largest, inReply);
        mayReceive(bytes);
    }

    /** Takes an item into account that can land here. */
    void mayReceive(int bytes) {
        size = Math.max(size, bytes);
    }

    /** Called if the items that are here if all are present can also be at any later position, and so in no place. */
    void mayBeUnplaced() {
        canBeUnplaced = true;
    }

    /** The bytes of this element's memory if the caller has named it; otherwise 0. */
    int named() {
        return isAllocated() ? 0 : room();
    }

    /** The bytes of this element's memory if the runtime allocates it; otherwise 0. */
    int unnamed() {
        return isAllocated() ? room() : 0;
    }

    /** The bytes that the runtime allocates behind the element's memory, for larger items. */
    int staging() {
        return size - room();
    }

    /** Gives up the memory for larger items. */
    void giveUpStaging() {
        size = room();
    }

    /** Whether an item that is here if all are present can be in none of the first {@code places}. */
    boolean canBeUnplaced(int places, int index) {
        return canBeUnplaced || index >= places;
    }

    /** The destination of the element whose memory this is. */
    public Destination destination() {
        return named == null ? Destination.allocate() : named;
    }

    /** The bytes of this element's own memory that results can use: all of a destination, so that they need little other. */
    public int room() {
        if (named != null) {
            return (int) Math.min(named.capacity(), size);
        }
        return element == ResultLayout.NO_ELEMENT ? size : own;
    }

    /** The most bytes of an item that can land here; not less than {@link #room}. */
    public int size() {
        return size;
    }

    /** The most bytes in a reply of the items that are here if all are present, whatever the room. */
    int largest() {
        return element == ResultLayout.NO_ELEMENT ? size : largest;
    }

    /** Whether this is the memory of an element of an item. */
    boolean isOf(int otherItem, int otherElement) {
        return item == otherItem && element == otherElement;
    }

    /** Whether the runtime allocates the memory, and leaves it to the results. */
    public boolean isAllocated() {
        return named == null;
    }
}
