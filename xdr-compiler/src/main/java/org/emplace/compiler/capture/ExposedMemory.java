// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.capture;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/** The memory that one side exposes by its calls, and has exposed lately. */
final class ExposedMemory {
    private static final int MOST_REMEMBERED = 1024;

    private final Set<MemoryRegion> exposed = new LinkedHashSet<>();
    private final Deque<MemoryRegion> former = new ArrayDeque<>();

    /** What a call exposes. */
    void expose(PendingCall call) {
        call.regions().forEach(exposed::add);
    }

    /** Takes that back: the call is over. */
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

    /** One that has this handle. */
    Optional<MemoryRegion> of(int handle) {
        return exposed.stream()
                .filter(region -> region.segment().handle() == handle)
                .findFirst();
    }

    /** The region in which an access begins that was exposed before. */
    Optional<MemoryRegion> formerAt(int handle, long offset) {
        return former.stream().filter(region -> region.has(handle, offset)).findFirst();
    }
}
