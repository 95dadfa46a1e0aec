// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.binding;

import java.util.List;
import org.emplace.compiler.model.Target;
import org.emplace.compiler.model.TypeDefinition;

/**
 * What one procedure's calls and replies may move by chunks.
 *
 * @param arguments eligible arguments, in stream order
 * @param results eligible results, in stream order: the order of the Write list
 * @param replyBound the largest encoded size of the results, eligible items' bytes counted out
 * @param readChunkLimit Read chunks a call may have
 * @param writeChunkLimit Write chunks a call may offer
 * @param isInOrder whether the binding says that a result which is absent leaves its Write chunk to those after it, so that callers know
 */
public record ChunkPlan(
        List<EligibleItem> arguments,
        List<EligibleItem> results,
        Size replyBound,
        int readChunkLimit,
        int writeChunkLimit,
        boolean isInOrder) {

    /**
     * One eligible item as reached from a procedure.
     *
     * @param path XDR member names from the procedure's arguments or results on; {@code []} where an array is passed through
     * @param size its largest size in bytes
     */
    public record EligibleItem(List<String> path, Target.Item item, Size size) {}

    /** A number of bytes, known when a call is made. */
    public sealed interface Size {

        /** No limit is known. */
        record Unbounded() implements Size {}

        /** The same for every call. */
        record Fixed(long bytes) implements Size {}

        /**
         * Taken from the call.
         *
         * @param path XDR member names from the arguments on; empty for the argument itself
         * @param plus added to the value
         */
        record FromArgument(List<String> path, long plus) implements Size {}

        /**
         * One for each element of an array in the arguments that has what the path names: the size of the result in the element of
         * the results' array that has the same index. An element whose unions have other arms than those on the path brings no such result.
         *
         * @param array XDR member names from the arguments to the array
         * @param path XDR names of members and arms from the element on, to a number
         * @param plus added to the value
         */
        record FromElements(List<String> array, List<String> path, long plus) implements Size {}

        /**
         * The same size for each element of an array in the arguments that is of one kind.
         *
         * @param array XDR member names from the arguments to the array
         * @param discriminant XDR names of members and arms from the element on, to the discriminant of a union
         * @param selected its value in elements that bring such a result
         */
        record PerElement(List<String> array, List<String> discriminant, TypeDefinition.CaseValue selected, long bytes)
                implements Size {}
    }
}
