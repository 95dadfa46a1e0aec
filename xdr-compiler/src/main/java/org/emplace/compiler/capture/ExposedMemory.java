// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.capture;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/** The memory that one side's calls expose, or recently exposed. */
final class ExposedMemory {
    private static final int MOST_REMEMBERED = 1024;

    private final Set<MemoryRegion> exposed = new LinkedHashSet<>();
    private final Deque<MemoryRegion> former = new ArrayDeque<>();

    /** Adds the memory of a call. */
    void expose(PendingCall call) {
        call.regions().forEach(exposed::add);
    }

    /** Removes it: the call is over. */
    void end(PendingCall call) {
        call.regions().forEach(region -> {
            exposed.remove(region);
            region.forget();
            former.addFirst(region);
        });
        while (former.size() > MOST_REMEMBERED) {
            former.removeLast();
        }
    }

    /** The region in which an access begins. */
    Optional<MemoryRegion> at(int handle, long offset) {
        return exposed.stream().filter(region -> region.has(handle, offset)).findFirst();
    }

    /** A region with this handle. */
    Optional<MemoryRegion> of(int handle) {
        return exposed.stream()
                .filter(region -> region.segment().handle() == handle)
                .findFirst();
    }

    /** The formerly exposed region in which an access begins. */
    Optional<MemoryRegion> formerAt(int handle, long offset) {
        return former.stream().filter(region -> region.has(handle, offset)).findFirst();
    }
}
