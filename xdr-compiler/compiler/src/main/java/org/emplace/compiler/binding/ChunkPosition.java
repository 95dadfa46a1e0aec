// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.binding;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.emplace.compiler.binding.ChunkPlan.EligibleItem;

/**
 * A Write chunk, and the results that it can take.
 *
 * @param number of the chunk, from 1
 * @param owners the paths of the results that it takes if all results before them are present; several if they exclude
 *     each other, none if the number of elements in a list decides
 * @param others the paths of the results that it takes if results before them are absent
 */
public record ChunkPosition(int number, List<String> owners, List<String> others) {

    /** Later chunks are like these. */
    private static final int MOST = 8;

    /** The first Write chunks of a procedure. */
    public static List<ChunkPosition> of(ChunkPlan plan) {
        Layout layout = new Layout(new ArrayList<>());
        layout.add(plan.results(), "results", 1, 1);
        List<ChunkPosition> positions = new ArrayList<>();
        long chunks = Math.min(plan.writeChunkLimit(), plan.results().most());
        for (int number = 1; number <= Math.min(MOST, chunks); number++) {
            Set<String> owners = new LinkedHashSet<>();
            Set<String> others = new LinkedHashSet<>();
            for (Place place : layout.places()) {
                if (place.last() == number) {
                    owners.add(place.element());
                } else if (place.first() <= number && number < place.last()) {
                    others.add(place.item().placeIn("results"));
                }
            }
            positions.add(new ChunkPosition(number, List.copyOf(owners), List.copyOf(others)));
        }
        return List.copyOf(positions);
    }

    /** One element's item, and the first and the last chunk that can take it. */
    private record Place(EligibleItem item, String element, long first, long last) {}

    /** Lays out the elements one after the other, with as many of each array as matter for the first chunks. */
    private record Layout(List<Place> places) {

        void add(StreamOrder<EligibleItem> order, String path, long first, long last) {
            if (order instanceof StreamOrder.Item<EligibleItem> item) {
                places.add(new Place(item.item(), path, first, last));
            } else if (order instanceof StreamOrder.Option<EligibleItem> option) {
                add(option.content(), path, first, last);
            } else if (order instanceof StreamOrder.Choice<EligibleItem> choice) {
                choice.members().forEach(arm -> add(arm.order(), path + "." + arm.name(), first, last));
            } else if (order instanceof StreamOrder.Repetition<EligibleItem> repetition) {
                add(repetition.element(), repetition.count().most(), path, first, last);
            } else if (order instanceof StreamOrder.Linked<EligibleItem> linked) {
                add(linked.before(), StreamOrder.UNLIMITED, path, first, last);
                // The number of elements decides where these are.
                long behind = StreamOrder.plus(first, linked.before().least());
                add(linked.after(), path + "[]", behind, StreamOrder.UNLIMITED);
            } else {
                long from = first;
                long to = last;
                for (StreamOrder.Member<EligibleItem> member : order.members()) {
                    add(member.order(), path + "." + member.name(), from, to);
                    from = StreamOrder.plus(from, member.order().least());
                    to = StreamOrder.plus(to, member.order().most());
                }
            }
        }

        private void add(StreamOrder<EligibleItem> element, long count, String path, long first, long last) {
            long from = first;
            long to = last;
            for (int i = 0; i < Math.min(count, MOST + 1); i++) {
                add(element, path + "[" + i + "]", from, to);
                from = StreamOrder.plus(from, element.least());
                to = StreamOrder.plus(to, element.most());
            }
        }
    }
}
