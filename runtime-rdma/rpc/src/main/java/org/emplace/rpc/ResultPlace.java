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
    private int room;
    private int size;
    private int largest;
    private boolean canBeLeft;

    ResultPlace() {}

    /** Takes an item into account that is here if all are present, with {@code bytes} of room. Of several, a payload with a destination has the memory. */
    void mayHold(ResultItem<?, ?> other, int otherElement, @Nullable Destination destination, int bytes, int inReply) {
        boolean isFirst = element == ResultLayout.NO_ELEMENT;
        boolean isPreferred =
                other.isPayload() && (item == ResultItem.ENCODED || (named == null && destination != null));
        if (isFirst || isPreferred) {
            item = other.item;
            element = otherElement;
            named = destination;
            room = bytes;
        }
        largest = Math.max(largest, inReply);
    }

    /** Takes an item into account that can land here. */
    void mayReceive(int bytes) {
        size = Math.max(size, bytes);
    }

    /** Called if the items that are here if all are present can also be at any later position, and beyond all places. */
    void mayBeLeft() {
        canBeLeft = true;
    }

    /** Gives up memory for items that are larger than this element's. */
    void giveUpStaging() {
        size = room;
    }

    /** Whether an item that is here if all are present can be beyond the first {@code places}, so that it is in the message. */
    boolean canBeBeyond(int places, int index) {
        return canBeLeft || index >= places;
    }

    /** The destination of the element whose memory this is. */
    public Destination destination() {
        return named == null ? Destination.allocate() : named;
    }

    /** The most bytes of this element's item. */
    public int room() {
        return room;
    }

    /** The most bytes of an item that can land here; not less than {@link #room}. */
    public int size() {
        return size;
    }

    /** The most bytes in a reply of the items that are here if all are present, whatever the room. */
    int largest() {
        return largest;
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
