// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen.mapping;

import java.util.List;

/**
 * The destinations of one eligible item of the results.
 *
 * @param repeated whether they are by element, as for an item in an array or list; if not, there is one
 * @param byElement null stands for no destination
 */
record Plan(boolean repeated, List<Slot> byElement) {

    /** A destination. */
    sealed interface Slot {}

    /** None: null. */
    record Nowhere() implements Slot {}

    /** Memory of the runtime, asked for by {@code Destination.allocate}. */
    record Allocated() implements Slot {}

    /** Buffers of the caller, one after the other. */
    record Pieces(List<Piece> pieces) implements Slot {
        int capacity() {
            return pieces.stream().mapToInt(Piece::length).sum();
        }

        /** Whether this is one buffer outside of the heap. */
        boolean isDirect() {
            return pieces.size() == 1 && pieces.get(0).kind() != Kind.HEAP;
        }
    }

    /** A buffer. */
    record Piece(Kind kind, int length) {}

    /** A kind of memory. */
    enum Kind {
        DIRECT,
        HEAP,
        REGISTERED
    }

    /** The destination of an element; none beyond the list. */
    Slot of(int element) {
        return element < byElement.size() ? byElement.get(element) : new Nowhere();
    }
}
