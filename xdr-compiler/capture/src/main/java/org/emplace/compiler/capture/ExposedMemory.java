// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.capture;

import static org.emplace.compiler.capture.Timeline.bytes;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.emplace.compiler.capture.RdmaMessage.Segment;

/** The memory that one side's calls expose, or recently exposed. Checks the other side's access to it. */
final class ExposedMemory {
    private static final int MOST_REMEMBERED = 2048;

    private final Conversation conversation;
    /** The newest first: a reply that ends the exposure of an older one may be missing. */
    private final Deque<ExposedSegment> exposed = new ArrayDeque<>();

    private final Deque<ExposedSegment> former = new ArrayDeque<>();

    ExposedMemory(Conversation conversation) {
        this.conversation = conversation;
    }

    void expose(UnansweredCall call) {
        call.regions().forEach(region -> {
            if (conversation.hasLoss()) {
                exposed.removeIf(older -> older.xid() != region.xid() && older.overlaps(region));
            }
            exposed.addFirst(region);
        });
        while (exposed.size() > MOST_REMEMBERED) {
            exposed.removeLast();
            conversation.lose();
        }
    }

    void end(UnansweredCall call) {
        call.regions().forEach(region -> {
            exposed.remove(region);
            region.forgetContent();
            former.addFirst(region);
        });
        while (former.size() > MOST_REMEMBERED) {
            former.removeLast();
        }
    }

    /** The region in which a range begins. */
    Optional<ExposedSegment> at(Segment range) {
        return firstAt(range, exposed);
    }

    private static Optional<ExposedSegment> firstAt(Segment range, Deque<ExposedSegment> regions) {
        return regions.stream().filter(region -> region.segment().has(range)).findFirst();
    }

    /** Checks an access. @return the region in which it begins, if that is exposed for this kind of access */
    Optional<ExposedSegment> access(CapturedEnd by, Segment range, boolean isRead) {
        if (range.length() == 0) {
            return Optional.empty();
        }
        Optional<ExposedSegment> region = at(range);
        if (region.isEmpty()) {
            checkUnexposed(by, range, isRead);
        } else if (region.get().isForReading() != isRead) {
            String chunk = isRead ? "Write or Reply chunk" : "Read chunk";
            outside(region.get(), by, text(range, isRead), "goes to a segment of a " + chunk);
            return Optional.empty();
        } else if (region.get().excess(range) > 0) {
            String excess = bytes(region.get().excess(range));
            outside(region.get(), by, text(range, isRead), "goes " + excess + " beyond its segment");
        }
        return region;
    }

    private void checkUnexposed(CapturedEnd by, Segment range, boolean isRead) {
        Optional<ExposedSegment> answered = firstAt(range, former);
        if (answered.isEmpty() && conversation.isComplete()) {
            String what = "no call has exposed this memory";
            conversation.report(by, text(range, isRead), Rule.ACCESS_STAYS_IN_ITS_SEGMENT, what);
        } else if (answered.isPresent()
                && !conversation.hasLoss()
                && answered.get().breach()) {
            Rule rule = isRead ? Rule.READS_END_WITH_THE_REPLY : Rule.WRITES_COME_BEFORE_THE_REPLY;
            conversation.report(by, text(range, isRead), rule, answered.get().xid());
        }
    }

    private void outside(ExposedSegment region, CapturedEnd by, String access, String what) {
        if (region.breach()) {
            String text = Timeline.text("it %s, which the call with xid 0x%08x exposed", what, region.xid());
            conversation.report(by, access, Rule.ACCESS_STAYS_IN_ITS_SEGMENT, text);
        }
    }

    private static String text(Segment range, boolean isRead) {
        return Timeline.text(
                "an RDMA %s of %s at handle 0x%08x, offset 0x%x",
                isRead ? "Read" : "Write", bytes(range.length()), range.handle(), range.offset());
    }
}
