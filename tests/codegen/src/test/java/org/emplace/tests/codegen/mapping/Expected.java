// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen.mapping;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import org.emplace.tests.codegen.mapping.Encoding.Placed;
import org.emplace.tests.codegen.mapping.Node.Array;
import org.emplace.tests.codegen.mapping.Node.Item;
import org.emplace.tests.codegen.mapping.Node.Linked;
import org.emplace.tests.codegen.mapping.Node.Member;
import org.emplace.tests.codegen.mapping.Node.Repetition;
import org.emplace.tests.codegen.mapping.Node.Struct;

/**
 * The eligible results of a call in the order of a reply in which all are present that the call expects, as the
 * documentation describes it. The n-th result of a reply lands in the memory of the n-th of these.
 */
final class Expected {
    /** The most elements without destinations. */
    private static final int MOST_UNNAMED = 1024;

    private final Exchange exchange;
    private final PlanDraw counts;
    private final int maxMessage;
    private final IdentityHashMap<Item, Plan> plans = new IdentityHashMap<>();
    private final List<Owner> owners = new ArrayList<>();
    private int position;
    private int unnamed;
    private boolean isWhole = true;

    /**
     * An element, and its memory.
     *
     * @param capacity of its destination; 0 without one
     * @param room for its own result
     */
    private record Owner(Item item, int element, boolean isNamed, long capacity, long room) {
        boolean is(Placed result) {
            return item == result.item() && element == result.element();
        }
    }

    /**
     * Where an item is.
     *
     * @param outermost the index of the element of the outermost array; -1 outside
     * @param innermost that of the element of the innermost array, counted through
     * @param isOptional whether an item is left out if the arguments rule it out
     */
    private record At(int outermost, int innermost, boolean isOptional) {
        At optional() {
            return new At(outermost, innermost, true);
        }
    }

    /** @param maxMessage the most bytes that the runtime allocates for a call's results */
    Expected(Exchange exchange, int maxMessage) {
        this.exchange = exchange;
        this.counts = new PlanDraw(exchange.draft(), exchange.sizes(), exchange.results());
        this.maxMessage = maxMessage;
        for (int payload = 0; payload < exchange.plans().size(); payload++) {
            plans.put(
                    exchange.draft().payloads().get(payload).item(),
                    exchange.plans().get(payload));
        }
        walk(exchange.draft().results(), new At(-1, 0, false));
    }

    /** The number of results. */
    int count() {
        return owners.size();
    }

    /** Whether a reply cannot have more results. */
    boolean isWhole() {
        return isWhole;
    }

    /** The number of the result that is this one; -1 if it is none of them. */
    int indexOf(Placed result) {
        for (int i = 0; i < owners.size(); i++) {
            if (owners.get(i).is(result)) {
                return i;
            }
        }
        return -1;
    }

    /** Whether the n-th result of a reply stays where it lands: in its own memory, or in memory that nobody has named. */
    boolean stays(int n, Placed result) {
        boolean isNamed = isNamed(result);
        if (n >= owners.size()) {
            return !isNamed;
        }
        Owner owner = owners.get(n);
        return !result.item().content().isPayload()
                || ((owner.is(result) || (!isNamed && !owner.isNamed())) && result.length() <= owner.room());
    }

    /** Whether each result of the reply fills a destination that the caller has named for it. */
    boolean isAllInDestinations() {
        List<Placed> results = exchange.results().encoding().items();
        for (int i = 0; i < results.size(); i++) {
            if (i >= owners.size() || !owners.get(i).isNamed() || !owners.get(i).is(results.get(i))) {
                return false;
            }
        }
        return true;
    }

    /**
     * Whether a result may have no room where it lands: if destinations hold more than is allocated for a call, the memory
     * for larger results is for the last ones, as far as it goes.
     */
    boolean mayLackRoom() {
        List<Placed> results = exchange.results().encoding().items();
        long named = owners.stream().mapToLong(Owner::capacity).sum();
        long left = maxMessage;
        boolean isLonger = false;
        for (int i = owners.size() - 1; i >= 0; i--) {
            long room = owners.get(i).room();
            left -= Math.max(0, maxMessage - room);
            isLonger |= left < 0 && i < results.size() && results.get(i).length() > room;
        }
        return named > maxMessage && isLonger;
    }

    private boolean isNamed(Placed result) {
        return exchange.slot(result) instanceof Plan.Pieces;
    }

    private void walk(Node node, At at) {
        if (node instanceof Item item) {
            expect(item, at);
        } else if (node instanceof Struct struct) {
            for (Member member : struct.members()) {
                walk(member.node(), at);
            }
        } else if (node instanceof Node.Union union) {
            int begin = position;
            int end = position;
            for (Node.Union.Arm arm : union.arms()) {
                position = begin;
                arm.content().ifPresent(content -> walk(content.node(), at.optional()));
                end = Math.max(end, position);
            }
            position = end;
        } else if (node instanceof Node.Option option) {
            walk(option.element(), at.optional());
        } else if (node instanceof Array array) {
            repeat(array, array.element(), false, at);
        } else if (node instanceof Linked list) {
            repeat(list, new Struct("", list.before()), false, at);
            repeat(list, new Struct("", list.after()), true, at);
        } else if (node instanceof Node.Operations operations) {
            walk(operations.results(), at);
        }
    }

    private void expect(Item item, At at) {
        long size = exchange.size(item, Math.max(0, at.outermost()));
        if (size == Size.ABSENT && (at.isOptional() || item.content().mayBeAbsent())) {
            return;
        }
        size = size == Size.ABSENT ? 0 : size;
        Plan plan = plans.get(item);
        Plan.Slot slot = plan == null ? new Plan.Nowhere() : plan.of(at.innermost());
        Owner owner = slot instanceof Plan.Pieces pieces
                ? new Owner(
                        item,
                        at.innermost(),
                        true,
                        pieces.capacity(),
                        size == Size.UNBOUNDED ? pieces.capacity() : Math.min(size, pieces.capacity()))
                : new Owner(
                        item,
                        at.innermost(),
                        false,
                        0,
                        Math.min(maxMessage, size == Size.UNBOUNDED ? exchange.unboundedReplySize() : size));
        if (position == owners.size()) {
            owners.add(owner);
        } else if (item.content().isPayload() && isPreferred(owner, owners.get(position))) {
            owners.set(position, owner);
        }
        position++;
    }

    /** Of the arms of a union, a payload with a destination has the memory, and of several such the largest. */
    private static boolean isPreferred(Owner owner, Owner before) {
        return !before.item().content().isPayload()
                || (owner.isNamed() == before.isNamed() ? owner.room() > before.room() : owner.isNamed());
    }

    private void repeat(Repetition array, Node element, boolean isReversed, At at) {
        if (Items.of(element).isEmpty()) {
            return;
        }
        boolean isFixed = array instanceof Array one && one.isFixed();
        boolean isOutermost = at.outermost() < 0;
        Optional<Integer> inArguments = isFixed || !isOutermost ? Optional.empty() : counts.ofOutermost(array);
        boolean isExact = isFixed || inArguments.isPresent();
        int possible = inArguments.orElse(bound(array));
        int named = named(element);
        long before = (long) at.innermost() * possible;
        int first = (int) (isExact ? before : Math.min(before, named));
        int elements = Math.max(0, Math.min(possible, named - first));
        if (isExact || named == 0) {
            int further = Math.min(possible - elements, Math.max(0, MOST_UNNAMED - unnamed));
            boolean isLimited = possible < Integer.MAX_VALUE
                    || exchange.draft().writeChunks().isPresent();
            elements += !isLimited ? 0 : isReversed && !isFixed ? Math.min(further, furtherPlaces()) : further;
        }
        isWhole &= elements == possible;
        for (int i = 0; i < elements; i++) {
            int index = isReversed ? elements - 1 - i : i;
            if (first + index >= named) {
                if (!isFixed && !isReversed && furtherPlaces() == 0) {
                    isWhole = false;
                    return;
                }
                unnamed++;
            }
            walk(element, new At(isOutermost ? index : at.outermost(), first + index, !isOutermost && at.isOptional()));
        }
    }

    private int furtherPlaces() {
        return Math.max(0, Math.min(MOST_UNNAMED, exchange.draft().writeChunks().orElse(MOST_UNNAMED)) - position);
    }

    private static int bound(Repetition array) {
        return array instanceof Array one && one.bound() >= 0 ? one.bound() : Integer.MAX_VALUE;
    }

    /** How many elements there must be for the destinations of what is in them. */
    private int named(Node node) {
        if (node instanceof Item item) {
            Plan plan = plans.get(item);
            return plan == null ? 0 : plan.byElement().size();
        } else if (node instanceof Struct struct) {
            return struct.members().stream()
                    .mapToInt(each -> named(each.node()))
                    .max()
                    .orElse(0);
        } else if (node instanceof Node.Union union) {
            return union.arms().stream()
                    .flatMap(arm -> arm.content().stream())
                    .mapToInt(each -> named(each.node()))
                    .max()
                    .orElse(0);
        } else if (node instanceof Node.Option option) {
            return named(option.element());
        } else if (node instanceof Array array) {
            int each = Math.max(1, bound(array));
            return (int) (((long) named(array.element()) + each - 1) / each);
        } else if (node instanceof Linked list) {
            return Math.min(1, Math.max(named(new Struct("", list.before())), named(new Struct("", list.after()))));
        }
        return 0;
    }
}
