// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen.mapping;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.emplace.tests.codegen.mapping.Encoding.Placed;
import org.emplace.tests.codegen.mapping.Items.Found;
import org.emplace.tests.codegen.mapping.Node.Array;
import org.emplace.tests.codegen.mapping.Node.Repetition;
import org.emplace.tests.codegen.mapping.Plan.Kind;
import org.emplace.tests.codegen.mapping.Plan.Piece;
import org.emplace.tests.codegen.mapping.Plan.Slot;

/** Draws the destinations of a call's results. */
record PlanDraw(Draft draft, Sizes sizes, Values.Value results) {
    /** The most destinations for elements that may be absent. */
    private static final int MOST_OF_ALL = 27;

    /** The destinations of each payload item; none for a call without any. */
    List<Plan> plans(Draws draws) {
        if (draws.at("any").below(6) == 0) {
            return List.of();
        }
        List<Plan> plans = new ArrayList<>();
        for (Found item : draft.payloads()) {
            plans.add(plan(item, draws.at(item.path())));
        }
        return plans;
    }

    private Plan plan(Found item, Draws draws) {
        boolean repeated = !item.inside().isEmpty();
        int count = repeated ? count(item, draws) : 1;
        List<Slot> slots = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            slots.add(slot(item, i, draws.at("slot").at(i)));
        }
        return new Plan(repeated, slots);
    }

    /** The number of destinations: the number of elements where the caller knows it; otherwise some. */
    private int count(Found item, Draws draws) {
        if (draws.at("some").below(6) == 0) {
            return 0;
        }
        Optional<Integer> known = knownCount(item);
        if (known.isPresent()) {
            return known.get();
        }
        int actual = results.elements().all(item.inside().get(item.inside().size() - 1));
        if (most(item) <= MOST_OF_ALL && draws.at("all").oneIn(item.inside().size() > 1 ? 2 : 6)) {
            return most(item);
        } else if (draft.writeChunks().isPresent() && draws.at("few").oneIn(2)) {
            return Math.min(most(item), draws.at("of few").below(3));
        }
        int count = switch (draws.at("count").below(6)) {
            case 0 -> Math.max(0, actual - 1 - draws.at("fewer").below(3));
            case 4 -> actual + 1;
            case 5 -> actual + 2;
            default -> actual;
        };
        return Math.min(count, most(item));
    }

    /** The number of elements, if it follows from the definition and the arguments. */
    Optional<Integer> knownCount(Found item) {
        int count = 1;
        for (Repetition each : item.inside()) {
            Optional<Integer> known = known(item, each);
            if (known.isEmpty()) {
                return known;
            }
            count *= known.get();
        }
        return Optional.of(count);
    }

    private Optional<Integer> known(Found item, Repetition array) {
        return array instanceof Array fixed && fixed.isFixed()
                ? Optional.of(fixed.bound())
                : array == item.inside().get(0) ? ofOutermost(array) : Optional.empty();
    }

    /** The number of elements of an outermost array if each item in it has its size from an element of an argument's array. */
    Optional<Integer> ofOutermost(Repetition array) {
        int count = 0;
        for (Found each : draft.resultItems()) {
            if (!each.inside().isEmpty() && each.inside().get(0) == array) {
                Optional<Node.SizeArray> sizesOf = arrayOf(each.item().size());
                if (sizesOf.isEmpty()) {
                    return Optional.empty();
                }
                count = Math.max(count, sizes.count(sizesOf.get()));
            }
        }
        return Optional.of(count);
    }

    private static Optional<Node.SizeArray> arrayOf(Size size) {
        if (size instanceof Size.OfElement element) {
            return Optional.of(element.array());
        }
        return size instanceof Size.When when ? Optional.of(when.array()) : Optional.empty();
    }

    /** The largest number of elements that the definition and the arguments allow. */
    int most(Found item) {
        long most = 1;
        for (Repetition each : item.inside()) {
            int bound = each instanceof Array array ? array.bound() : -1;
            Optional<Integer> known = known(item, each);
            long ofThis = known.isPresent() ? known.get() : bound < 0 ? Integer.MAX_VALUE : bound;
            most = Math.min(Integer.MAX_VALUE, most * ofThis);
        }
        return (int) most;
    }

    private Slot slot(Found item, int element, Draws draws) {
        int kind = draws.at("kind").below(12);
        if (kind == 0) {
            return new Plan.Nowhere();
        } else if (kind == 1) {
            return new Plan.Allocated();
        }
        int capacity = capacity(item, element, draws.at("capacity"));
        int pieces = kind < 10 || capacity == 0 ? 1 : 2 + draws.at("pieces").below(3);
        boolean areMany = pieces > 1 && draws.at("many").oneIn(6);
        pieces += areMany ? 12 + draws.at("more pieces").below(30) : 0;
        int longest = areMany ? 2 * capacity / pieces : capacity;
        List<Piece> all = new ArrayList<>();
        int left = capacity;
        for (int i = 0; i < pieces; i++) {
            int length = i == pieces - 1
                    ? left
                    : Math.min(left, draws.at("piece").at(i).below(longest + 1));
            left -= length;
            Kind memory = switch (draws.at("memory").at(i).below(6)) {
                case 0, 1, 2 -> Kind.DIRECT;
                case 3 -> Kind.HEAP;
                default -> Kind.REGISTERED;
            };
            all.add(new Piece(memory, length));
        }
        return new Plan.Pieces(all);
    }

    private int capacity(Found item, int element, Draws draws) {
        Optional<Placed> placed = results.encoding().items().stream()
                .filter(each -> each.item() == item.item() && each.element() == element)
                .findFirst();
        int kind = draws.at("kind").below(40);
        if (placed.isEmpty()) {
            return kind == 0 ? 0 : draws.at("absent").below(kind < 20 ? 300 : 12_000);
        }
        int length = placed.get().length();
        return switch (kind) {
            case 39 -> length - Math.min(length, 1 + draws.at("less").below(Math.max(1, length)));
            case 20, 21, 22, 23, 24 -> length + 1 + draws.at("odd").below(4);
            case 25, 26, 27 -> 2 * length;
            case 28, 29, 30 -> length + draws.at("more").below(12_000);
            case 31 -> Math.max(length, 20_000);
            default -> length;
        };
    }
}
