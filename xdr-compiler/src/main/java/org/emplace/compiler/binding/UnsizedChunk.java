// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.binding;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.emplace.compiler.binding.ChunkPlan.EligibleItem;

/**
 * An eligible result for which a requester cannot size a Write chunk. The n-th result that is present takes the n-th chunk (RFC 8166 section 4.3.2),
 * so a chunk must have room for every result that it may get, and their number must be known.
 *
 * @param isBySize whether its own size is not known; otherwise the number of such results is not
 * @param example a reply that may not fit
 * @param hint how to avoid it
 */
public record UnsizedChunk(EligibleItem item, boolean isBySize, String example, String hint) {

    /** The results of a plan for which this is so. */
    public static List<UnsizedChunk> of(ChunkPlan plan) {
        Search search = new Search(plan);
        search.walk(plan.results(), "results", Optional.empty(), Optional.empty());
        return List.copyOf(search.found);
    }

    private record Search(ChunkPlan plan, List<UnsizedChunk> found) {

        private Search(ChunkPlan plan) {
            this(plan, new ArrayList<>());
        }

        /**
         * @param place the path of this part
         * @param absence how items before it can be absent, so that its own take earlier chunks
         * @param endless the array around it of which nothing states the number of elements
         */
        private void walk(
                StreamOrder<EligibleItem> order, String place, Optional<String> absence, Optional<String> endless) {
            if (order instanceof StreamOrder.Item<EligibleItem> item) {
                check(item.item(), absence, endless);
            } else if (order instanceof StreamOrder.Repetition<EligibleItem> repetition) {
                walk(
                        repetition.element(),
                        place + "[]",
                        absence.or(() -> absence(repetition.element(), place + "[0]")),
                        endless.or(
                                () -> endless(order, place, repetition.count().isBounded())));
            } else if (order instanceof StreamOrder.Linked<EligibleItem> linked) {
                Optional<String> number = endless.or(() -> endless(order, place, false));
                walk(linked.before(), place + "[]", absence.or(() -> absence(linked.before(), place + "[0]")), number);
                walk(linked.after(), place + "[]", absence.or(() -> absence(order, place)), number);
            } else if (order instanceof StreamOrder.Option<EligibleItem> option) {
                walk(option.content(), place, absence, endless);
            } else {
                Optional<String> before = absence;
                for (StreamOrder.Member<EligibleItem> member : order.members()) {
                    String here = place + "." + member.name();
                    walk(member.order(), here, before, endless);
                    if (order instanceof StreamOrder.Sequence) {
                        before = before.or(() -> absence(member.order(), here));
                    }
                }
            }
        }

        private Optional<String> endless(StreamOrder<EligibleItem> array, String place, boolean isBounded) {
            // Sizes by matching index state the number of elements of an outermost array only.
            boolean isOutermost = !place.contains("[]");
            boolean isStated = isBounded
                    || plan.writeChunkLimit() < Integer.MAX_VALUE
                    || (isOutermost && !ChunkPlan.sizedBy(array).isEmpty());
            return isStated ? Optional.empty() : Optional.of(place);
        }

        private void check(EligibleItem item, Optional<String> absence, Optional<String> endless) {
            String name = "`" + item.placeIn("results") + "`";
            if (item.size() instanceof ChunkPlan.Size.Unbounded && absence.isPresent()) {
                found.add(new UnsizedChunk(
                        item,
                        true,
                        "in a reply where " + absence.get() + ", " + name
                                + ", which has no bound, lands in a Write chunk that was offered for another result",
                        "bound it, or add a size clause, such as size "
                                + SizeExpressions.example(name.contains("[]"))));
            } else if (endless.isPresent()) {
                found.add(new UnsizedChunk(
                        item,
                        false,
                        "in a reply where `" + endless.get() + "` has more elements than the call has destinations, "
                                + name + " of the others has no Write chunk",
                        "state how many chunks a call offers: write-chunks N; or bound the array, or give it the size that"
                                + " an element of the arguments states, such as size args.list[i].count"));
            }
        }

        /** How a message can have fewer items of a part than the largest number; empty if it cannot. */
        private static Optional<String> absence(StreamOrder<EligibleItem> order, String place) {
            if (order.isFixed()) {
                return Optional.empty();
            } else if (order instanceof StreamOrder.Option<EligibleItem> option) {
                boolean isList = option.content() instanceof StreamOrder.Repetition<EligibleItem>
                        || option.content() instanceof StreamOrder.Linked<EligibleItem>;
                return Optional.of("`" + place + "` is " + (isList ? "empty" : "absent"));
            } else if (order instanceof StreamOrder.Choice<EligibleItem> choice) {
                return Optional.of(absence(choice, place));
            } else if (order instanceof StreamOrder.Repetition<EligibleItem> repetition
                    && repetition.count().isFixed()) {
                return absence(repetition.element(), place + "[0]");
            } else if (order instanceof StreamOrder.Repetition<EligibleItem> repetition) {
                return Optional.of(
                        "`" + place + "` " + (repetition.count().least() == 0 ? "is empty" : "has one element"));
            } else if (order instanceof StreamOrder.Linked<EligibleItem>) {
                return Optional.of("`" + place + "` has one element");
            }
            return order.members().stream()
                    .flatMap(member -> absence(member.order(), place + "." + member.name()).stream())
                    .findFirst();
        }

        private static String absence(StreamOrder.Choice<EligibleItem> choice, String place) {
            StreamOrder.Arm<EligibleItem> fewest = choice.arms().stream()
                    .min(Comparator.comparingLong(arm -> arm.held().order().least()))
                    .orElseThrow();
            StreamOrder<EligibleItem> items = fewest.held().order();
            if (items.most() == choice.most()) {
                return absence(items, place + "." + fewest.held().name()).orElseThrow();
            }
            String labels =
                    choice.arms().stream().flatMap(arm -> arm.labels().stream()).collect(Collectors.joining(" or "));
            return "`" + place + "." + choice.discriminant() + "` is "
                    + (fewest.isDefault() ? "not " + labels : fewest.labels().get(0));
        }
    }
}
