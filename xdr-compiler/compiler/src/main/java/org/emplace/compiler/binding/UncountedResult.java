// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.binding;

import java.util.ArrayList;
import java.util.List;
import org.emplace.compiler.binding.ChunkPlan.EligibleItem;

/**
 * An eligible result in an array of which nothing states the number of elements, so that a requester does not know how many Write chunks to offer.
 *
 * @param array the path of the array
 */
public record UncountedResult(EligibleItem item, String array) {

    /** The results of a plan for which this is so. */
    public static List<UncountedResult> of(ChunkPlan plan) {
        List<UncountedResult> found = new ArrayList<>();
        if (plan.writeChunkLimit() == Integer.MAX_VALUE) {
            find(plan.results(), "results", true, found);
        }
        return List.copyOf(found);
    }

    private static void find(
            StreamOrder<EligibleItem> order, String place, boolean isOutermost, List<UncountedResult> found) {
        boolean isArray = order instanceof StreamOrder.Repetition || order instanceof StreamOrder.Linked;
        if (isArray && !isCounted(order, isOutermost)) {
            order.items().forEach(item -> found.add(new UncountedResult(item, place)));
        } else if (isArray) {
            order.parts().forEach(part -> find(part, place + "[]", false, found));
        } else if (order instanceof StreamOrder.Option) {
            find(order.content(), place, isOutermost, found);
        } else {
            order.members().forEach(each -> find(each.order(), place + "." + each.name(), isOutermost, found));
        }
    }

    /** Sizes by matching index state the number of elements of an outermost array only. */
    private static boolean isCounted(StreamOrder<EligibleItem> array, boolean isOutermost) {
        return (array instanceof StreamOrder.Repetition<EligibleItem> repetition
                        && repetition.count().isBounded())
                || (isOutermost && !ChunkPlan.sizedBy(array).isEmpty());
    }

    /** A reply in which a result has no chunk. */
    public String example() {
        return "in a reply where `" + array + "` has more elements than the call has destinations, `"
                + item.placeIn("results") + "` of the others has no Write chunk";
    }
}
