// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.binding;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.emplace.compiler.model.Target;
import org.emplace.compiler.model.TypeDefinition;

/**
 * The items that a procedure's calls and replies may move by chunks.
 *
 * @param arguments the eligible items of the arguments; each argument that has some is a member
 * @param results the eligible items of the results
 * @param replyBound the largest encoded size of the results, without the bytes of eligible items
 * @param readChunkLimit the most Read chunks of a call
 * @param writeChunkLimit the most Write chunks that a call may offer
 */
public record ChunkPlan(
        StreamOrder<EligibleItem> arguments,
        StreamOrder<EligibleItem> results,
        Size replyBound,
        int readChunkLimit,
        int writeChunkLimit) {

    /**
     * An eligible item at a place in a procedure.
     *
     * @param path the XDR names of members from the procedure's arguments or results on, with {@code []} for the elements of an array
     * @param size its largest size in bytes
     * @param isPayload whether it is bytes or an array of numbers, for which a caller names a destination; other items are decoded from their chunks
     */
    public record EligibleItem(List<String> path, Target.Item item, Size size, boolean isPayload) {

        /** Whether it is in an array or a linked list, so that a message may have any number of it. */
        public boolean isRepeated() {
            return path.contains(Occurrence.ELEMENTS);
        }

        /** Its path as texts show it, such as {@code pairs[].data}. */
        public String place() {
            return joined(path.stream());
        }

        /** Its path from {@code args} or {@code results} on. */
        public String placeIn(String root) {
            return joined(Stream.concat(Stream.of(root), path.stream()));
        }

        private static String joined(Stream<String> names) {
            return names.collect(Collectors.joining(".")).replace("." + Occurrence.ELEMENTS, Occurrence.ELEMENTS);
        }
    }

    /** Whether any item is eligible. */
    public boolean hasItems() {
        return !arguments.isEmpty() || !results.isEmpty();
    }

    /** The results for which a caller names destinations, in stream order. */
    public List<EligibleItem> payloads() {
        return results.items().stream().filter(EligibleItem::isPayload).toList();
    }

    /**
     * The arrays in the arguments that determine how many of these results there are: each result has the size that belongs to the element of the same
     * index. Empty if some result has another size.
     */
    public static Set<List<String>> sizedBy(StreamOrder<EligibleItem> results) {
        Set<List<String>> arrays = new LinkedHashSet<>();
        for (EligibleItem item : results.items()) {
            Optional<List<String>> array = item.size().elementsOf();
            if (array.isEmpty()) {
                return Set.of();
            }
            arrays.add(array.get());
        }
        return Collections.unmodifiableSet(arrays);
    }

    /** A number of bytes that is known when a call is made. */
    public sealed interface Size {

        /** The array in the arguments whose elements have the size, by the XDR names of members that lead to it; empty for other sizes. */
        default Optional<List<String>> elementsOf() {
            if (this instanceof FromElements elements) {
                return Optional.of(elements.array());
            }
            return this instanceof PerElement each ? Optional.of(each.array()) : Optional.empty();
        }

        /** No bound is known. */
        record Unbounded() implements Size {}

        /** The same for every call. */
        record Fixed(long bytes) implements Size {}

        /**
         * Depends on the arguments.
         *
         * @param path the XDR names of members from the arguments on; empty for the argument itself
         * @param plus added to the value
         */
        record FromArgument(List<String> path, long plus) implements Size {}

        /**
         * A size for each element of an array in the arguments that contains the path. It applies to the element of the results' array with the same
         * index. An element in which a union has another arm than the path returns no such result.
         *
         * @param array the XDR names of members from the arguments to the array
         * @param path the XDR names of members and arms from the element to a number
         * @param plus added to the value
         */
        record FromElements(List<String> array, List<String> path, long plus) implements Size {}

        /**
         * The same size for each element of an array in the arguments that has one value of a discriminant.
         *
         * @param array the XDR names of members from the arguments to the array
         * @param discriminant the XDR names of members and arms from the element to the discriminant of a union
         * @param selected the value in elements that return such a result
         */
        record PerElement(List<String> array, List<String> discriminant, TypeDefinition.CaseValue selected, long bytes)
                implements Size {}
    }
}
