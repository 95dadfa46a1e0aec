// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.capture;

import static org.emplace.compiler.capture.Timeline.bytes;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.emplace.compiler.capture.RdmaMessage.Segment;

/** The memory that one side's calls expose, or recently exposed. Checks the other side's access to it. */
final class ExposedMemory {
    private static final int MOST_REMEMBERED = 1024;

    private final Conversation conversation;
    private final Map<Integer, Set<MemoryRegion>> exposed = new HashMap<>();
    private final Deque<MemoryRegion> former = new ArrayDeque<>();

    ExposedMemory(Conversation conversation) {
        this.conversation = conversation;
    }

    void expose(PendingCall call) {
        call.regions()
                .forEach(region -> exposed.computeIfAbsent(region.segment().handle(), any -> new LinkedHashSet<>())
                        .add(region));
    }

    void end(PendingCall call) {
        call.regions().forEach(region -> {
            int handle = region.segment().handle();
            of(handle).remove(region);
            if (of(handle).isEmpty()) {
                exposed.remove(handle);
            }
            region.forgetContent();
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

    /** Checks an access. @return the region in which it begins, if that is exposed for this kind of access */
    Optional<MemoryRegion> access(Peer by, Segment range, boolean isRead) {
        if (range.length() == 0) {
            return Optional.empty();
        }
        Optional<MemoryRegion> region = at(range);
        if (region.isEmpty()) {
            checkOutside(by, range, isRead);
        } else if (region.get().isForReading() != isRead) {
            region.get()
                    .breach(text(range, isRead) + " goes to a segment of a "
                            + (isRead ? "Write or Reply chunk" : "Read chunk"));
            return Optional.empty();
        } else if (region.get().excess(range) > 0) {
            String excess = bytes(region.get().excess(range));
            region.get().breach(text(range, isRead) + " goes " + excess + " beyond its segment");
        }
        return region;
    }

    private void checkOutside(Peer by, Segment range, boolean isRead) {
        Optional<MemoryRegion> answered = firstAt(range, former);
        Optional<MemoryRegion> sameHandle = of(range.handle()).stream().findFirst();
        String access = text(range, isRead);
        if (answered.isPresent()) {
            if (!conversation.hasLoss() && answered.get().breach().isEmpty()) {
                answered.get().breach(access);
                conversation.report(
                        by,
                        access,
                        isRead ? Rule.READS_END_WITH_THE_REPLY : Rule.WRITES_COME_BEFORE_THE_REPLY,
                        answered.get().xid());
            }
        } else if (conversation.isComplete() && sameHandle.isPresent()) {
            sameHandle.get().breach(access + " is outside the segment with this handle");
        } else if (conversation.isComplete()) {
            conversation.report(by, access, Rule.ACCESS_STAYS_IN_ITS_SEGMENT, "no call has exposed this memory");
        }
    }

    private static String text(Segment range, boolean isRead) {
        return Timeline.text(
                "an RDMA %s of %s at handle 0x%08x, offset 0x%x",
                isRead ? "Read" : "Write", bytes(range.length()), range.handle(), range.offset());
    }
}
