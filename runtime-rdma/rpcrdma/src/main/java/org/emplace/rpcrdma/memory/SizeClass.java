// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.memory;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The slabs of one size of buffers that have buffers to give. Those partly in use come first, so that others stay idle. */
final class SizeClass {
    private final Set<Slab> partlyUsed = new LinkedHashSet<>();
    private final Deque<Slab> idle = new ArrayDeque<>();

    /** A slab with a free buffer; null if there is none. */
    @Nullable
    Slab slab() {
        return partlyUsed.isEmpty() ? idle.peek() : partlyUsed.iterator().next();
    }

    /** A slab's use has changed. */
    void changed(Slab slab, boolean wasIdle) {
        if (wasIdle) {
            idle.remove(slab);
        }
        if (slab.isIdle()) {
            partlyUsed.remove(slab);
            idle.push(slab);
        } else if (slab.isFull()) {
            partlyUsed.remove(slab);
        } else {
            partlyUsed.add(slab);
        }
    }

    /** Takes an idle slab out; null if there is none. */
    @Nullable
    Slab takeIdle() {
        return idle.poll();
    }
}
