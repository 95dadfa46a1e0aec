// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.binding;

import java.util.List;
import org.emplace.compiler.model.Target;
import org.emplace.compiler.model.TypeDefinition;

/**
 * The items that a procedure's calls and replies may move by chunks.
 *
 * @param arguments the eligible arguments, in stream order
 * @param results the eligible results in stream order, which is the order of the Write list
 * @param replyBound the largest encoded size of the results, without the bytes of eligible items
 * @param readChunkLimit the most Read chunks of a call
 * @param writeChunkLimit the most Write chunks that a call may offer
 * @param isInOrder whether the binding states that an absent result leaves its Write chunk to the results after it, so that callers must expect this
 */
public record ChunkPlan(
        List<EligibleItem> arguments,
        List<EligibleItem> results,
        Size replyBound,
        int readChunkLimit,
        int writeChunkLimit,
        boolean isInOrder) {

    /**
     * An eligible item at a place in a procedure.
     *
     * @param path the XDR names of members from the procedure's arguments or results on, with {@code []} for the elements of an array
     * @param size its largest size in bytes
     */
    public record EligibleItem(List<String> path, Target.Item item, Size size) {}

    /** A number of bytes that is known when a call is made. */
    public sealed interface Size {

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
