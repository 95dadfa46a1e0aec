// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.capture;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.emplace.compiler.capture.RdmaMessage.Segment;
import org.emplace.compiler.capture.Timeline.Entry;

/** The memory that one side's calls expose, or recently exposed: judges the other side's access to it. */
final class ExposedMemory {
    private static final int MOST_REMEMBERED = 1024;

    private final Conversation conversation;
    private final Map<Integer, Set<MemoryRegion>> exposed = new HashMap<>();
    private final Deque<MemoryRegion> former = new ArrayDeque<>();

    ExposedMemory(Conversation conversation) {
        this.conversation = conversation;
    }

    /** Adds the memory of a call. */
    void expose(PendingCall call) {
        call.regions()
                .forEach(region -> exposed.computeIfAbsent(region.segment().handle(), any -> new LinkedHashSet<>())
                        .add(region));
    }

    /** Removes it: the call is over. */
    void end(PendingCall call) {
        call.regions().forEach(region -> {
            int handle = region.segment().handle();
            of(handle).remove(region);
            if (of(handle).isEmpty()) {
                exposed.remove(handle);
            }
            region.forget();
            former.addFirst(region);
        });
        while (former.size() > MOST_REMEMBERED) {
            former.removeLast();
        }
    }

    /** The region in which a range begins. */
    Optional<MemoryRegion> at(Segment range) {
        return firstAt(range, of(range.handle()));
    }

    private Set<MemoryRegion> of(int handle) {
        return exposed.getOrDefault(handle, Set.of());
    }

    private static Optional<MemoryRegion> firstAt(Segment range, Collection<MemoryRegion> regions) {
        return regions.stream().filter(region -> region.has(range)).findFirst();
    }

    /**
     * Checks an access.
     *
     * @return the region that it begins in, if exposed for such an access
     */
    Optional<MemoryRegion> access(Peer by, Segment range, boolean isRead) {
        if (range.length() == 0) {
            return Optional.empty();
        }
        Optional<MemoryRegion> region = at(range);
        if (region.isEmpty()) {
            checkOutside(by, range, isRead);
        } else if (region.get().isForReading() != isRead) {
            breach(
                    region.get(),
                    text(range, isRead) + " goes to a segment of a "
                            + (isRead ? "Write or Reply chunk" : "Read chunk"));
            return Optional.empty();
        } else if (region.get().excess(range) > 0) {
            String excess = Timeline.count(region.get().excess(range), "byte");
            breach(region.get(), text(range, isRead) + " goes " + excess + " beyond its segment");
        }
        return region;
    }

    private void checkOutside(Peer by, Segment range, boolean isRead) {
        Optional<MemoryRegion> answered = firstAt(range, former);
        Optional<MemoryRegion> sameHandle = of(range.handle()).stream().findFirst();
        if (answered.isPresent()) {
            if (!conversation.hasLoss() && answered.get().isFirstBreach()) {
                Entry entry = conversation.entry(by, "%s", text(range, isRead));
                entry.violation(
                        isRead ? Rule.READS_END_WITH_THE_REPLY : Rule.WRITES_COME_BEFORE_THE_REPLY,
                        "the memory belongs to the answered call with xid 0x%08x",
                        answered.get().call().message().xid());
                entry.settle();
            }
        } else if (conversation.isComplete()) {
            if (sameHandle.isPresent()) {
                breach(sameHandle.get(), text(range, isRead) + " is outside the segment with this handle");
            } else {
                Entry entry = conversation.entry(by, "%s", text(range, isRead));
                entry.violation(Rule.ACCESS_STAYS_IN_ITS_SEGMENT, "no call has exposed this memory");
                entry.settle();
            }
        }
    }

    private static void breach(MemoryRegion region, String what) {
        if (region.isFirstBreach()) {
            region.call().breach(what);
        }
    }

    private static String text(Segment range, boolean isRead) {
        return Timeline.text(
                "an RDMA %s of %s at handle 0x%08x, offset 0x%x",
                isRead ? "Read" : "Write", Timeline.count(range.length(), "byte"), range.handle(), range.offset());
    }
}
