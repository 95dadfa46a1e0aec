// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen.mapping;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One call: what is sent, what the server answers, and where the caller wants it.
 *
 * @param sizes the numbers in the arguments
 * @param way how the call is made
 * @param plans the destinations of each payload item; empty for none at all
 * @param unboundedReplySize see {@code CallOptions}
 * @param memory draws the memory in which the payloads are
 * @param misuse draws destinations that no call may have, for some exchanges
 */
record Exchange(
        Draft draft,
        Sizes sizes,
        Values.Value arguments,
        Values.Value results,
        Way way,
        List<Plan> plans,
        int unboundedReplySize,
        Draws memory,
        Draws misuse,
        boolean violates) {

    /** For so many chunks with two segments there is room in every header. */
    static final int FEW_CHUNKS = 8;

    /** A way to make a call. */
    enum Way {
        /** By the procedure, with destinations by number. */
        PROCEDURE,
        /** By the method of the generated client, with destinations by name. */
        CLIENT,
        /** Operation by operation. */
        OPERATIONS
    }

    static Exchange of(Draft draft, Draws draws) {
        Sizes sizes = new Sizes(draft, draws.at("sizes"));
        boolean honest = !draws.at("dishonest").oneIn(40);
        Values.Value arguments = Values.arguments(draft, sizes, draws.at("arguments"));
        Values.Value results = Values.results(draft, sizes, draws.at("results"), honest);
        List<Plan> plans = new PlanDraw(draft, sizes, results).plans(draws.at("destinations"));
        int unbounded = List.of(64 << 10, 64 << 10, 2_000, 300_000)
                .get(draws.at("unbounded").below(4));
        long replyBound = draft.replySize().of(sizes, Size.UNBOUNDED, 0);
        boolean longer = replyBound >= 0 && results.encoding().lengthWithoutItems() > replyBound;
        Way way = List.of(Way.PROCEDURE, Way.CLIENT, Way.OPERATIONS)
                .get(draws.at("way").below(draft.operations().isPresent() ? 3 : 2));
        return new Exchange(
                draft,
                sizes,
                arguments,
                results,
                way,
                plans,
                unbounded,
                draws.at("memory"),
                draws.at("misuse"),
                results.violates() || longer);
    }

    /** The index of an item among the payload items, or -1. */
    int payload(Node.Item item) {
        int payload = 0;
        for (Items.Found each : draft.resultItems()) {
            if (each.item() == item) {
                return each.isPayload() ? payload : -1;
            }
            payload += each.isPayload() ? 1 : 0;
        }
        throw new IllegalArgumentException("no item of the results");
    }

    /** The largest size of an item in an element of the outermost array. */
    long size(Node.Item item, int outermost) {
        return item.size().of(sizes, item.content().most(), outermost);
    }

    /** The most bytes of a result that the call has room for. */
    long largest(int maxMessage) {
        long largest = 0;
        for (Items.Found each : draft.resultItems()) {
            for (int index = 0; index < Sizes.MOST; index++) {
                long size = size(each.item(), index);
                largest = Math.max(largest, size == Size.UNBOUNDED ? unboundedReplySize : size);
            }
        }
        largest = Math.min(largest, maxMessage);
        for (Plan plan : plans) {
            for (Plan.Slot slot : plan.byElement()) {
                largest = Math.max(largest, slot instanceof Plan.Pieces pieces ? pieces.capacity() : 0);
            }
        }
        return largest;
    }

    /** The payloads that are present, in stream order. */
    List<Encoding.Placed> payloads() {
        List<Encoding.Placed> present = new ArrayList<>(results.encoding().items());
        present.removeIf(each -> !each.item().content().isPayload());
        return present;
    }

    /** The destination that the caller wants for an item. */
    Plan.Slot slot(Encoding.Placed item) {
        int payload = payload(item.item());
        return payload >= 0 && payload < plans.size() ? plans.get(payload).of(item.element()) : new Plan.Nowhere();
    }

    /** Whether a destination is smaller than its item. */
    boolean isTooSmall() {
        return payloads().stream()
                .anyMatch(each -> slot(each) instanceof Plan.Pieces pieces && pieces.capacity() < each.length());
    }

    /**
     * Whether the reply may have no room over RDMA: something without a limit is longer than what is allocated for it.
     *
     * @param isUnlimited whether the compiler warns that replies have no limit
     * @param maxMessage the most bytes that are allocated for it, unless destinations have more
     */
    boolean isLongerThanOffered(boolean isUnlimited, int maxMessage) {
        Encoding reply = results.encoding();
        Expected expected = new Expected(this, maxMessage);
        boolean isInDestinations = expected.count() <= FEW_CHUNKS
                && expected.count() <= draft.writeChunks().orElse(FEW_CHUNKS)
                && expected.isAllInDestinations();
        boolean isReplyUnlimited = isUnlimited || draft.replySize() instanceof Size.Unbounded;
        return (reply.length() > maxMessage && !isInDestinations)
                || expected.mayLackRoom()
                || (isReplyUnlimited && reply.lengthWithoutItems() > unboundedReplySize)
                || unplacedBytes() > unboundedReplySize
                || reply.items().stream()
                        .anyMatch(each -> each.size() == Size.UNBOUNDED
                                && each.length() > unboundedReplySize
                                && !(slot(each) instanceof Plan.Pieces));
    }

    /** The bytes of the items for which the call may have no chunk, because nothing tells how many there are. */
    private long unplacedBytes() {
        List<Encoding.Placed> items = results.encoding().items();
        int stated = draft.writeChunks().orElse(0);
        long bytes = 0;
        for (int i = 0; i < items.size(); i++) {
            Items.Found found = found(items.get(i));
            if (i >= stated && isUncounted(found) && items.get(i).element() >= named(found)) {
                bytes += (items.get(i).length() + 3) & ~3;
            }
        }
        return bytes;
    }

    /** Whether nothing tells how many elements have an item. */
    private boolean isUncounted(Items.Found item) {
        for (Node.Repetition each : item.inside()) {
            boolean isBounded = each instanceof Node.Array array && array.bound() >= 0;
            boolean isOutermost = each == item.inside().get(0);
            if (!isBounded && !(isOutermost && counts().ofOutermost(each).isPresent())) {
                return true;
            }
        }
        return false;
    }

    /**
     * The number of elements that have destinations in the innermost array around an item. What precedes the link of a
     * list and what follows it are as in two arrays, so only the item's own destinations count in a list.
     */
    private int named(Items.Found item) {
        boolean isInList = item.inside().stream().anyMatch(Node.Linked.class::isInstance);
        int most = 0;
        for (int payload = 0; payload < plans.size(); payload++) {
            Items.Found other = draft.payloads().get(payload);
            if (isInList ? other.equals(item) : other.inside().equals(item.inside())) {
                most = Math.max(most, plans.get(payload).byElement().size());
            }
        }
        return most;
    }

    PlanDraw counts() {
        return new PlanDraw(draft, sizes, results);
    }

    private Items.Found found(Encoding.Placed item) {
        return draft.resultItems().stream()
                .filter(each -> each.item() == item.item())
                .findAny()
                .orElseThrow();
    }

    /** The name of an item, with the index of its element. */
    String name(Encoding.Placed item) {
        return name(found(item), item.element());
    }

    /** The name of an item, with the index of an element. */
    static String name(Items.Found item, int element) {
        return item.path() + (item.inside().isEmpty() ? "" : " of element " + element);
    }

    /** The number of elements that have an item, if the caller knows it. */
    Optional<Integer> knownCount(Items.Found item) {
        return counts().knownCount(item);
    }

    /** The largest number of elements that have an item. */
    int mostCount(Items.Found item) {
        return counts().most(item);
    }

    /** The call in words. */
    String text() {
        StringBuilder text = new StringBuilder();
        text.append(arguments.encoding().length()).append(" bytes of arguments, eligible:\n");
        arguments
                .encoding()
                .items()
                .forEach(each -> text.append("    ").append(each.length()).append(" bytes\n"));
        text.append(results.encoding().length())
                .append(" bytes of results")
                .append(violates ? ", which break the binding" : "")
                .append(", eligible:\n");
        results.encoding()
                .items()
                .forEach(each -> text.append("    ")
                        .append(name(each))
                        .append(": ")
                        .append(each.length())
                        .append(" bytes of ")
                        .append(each.size())
                        .append('\n'));
        int payload = 0;
        for (Items.Found each : draft.resultItems()) {
            if (each.isPayload() && payload < plans.size()) {
                text.append("destinations for ")
                        .append(each.path())
                        .append(": ")
                        .append(plans.get(payload++).byElement())
                        .append('\n');
            }
        }
        return text.append("made by ")
                .append(way)
                .append(", unbounded reply ")
                .append(unboundedReplySize)
                .append('\n')
                .toString();
    }
}
