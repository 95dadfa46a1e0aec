// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.suggest;

import java.util.ArrayList;
import java.util.List;
import org.emplace.compiler.binding.Occurrence;
import org.emplace.compiler.model.Program;
import org.emplace.compiler.model.XdrType;

/**
 * The use of an item in the arguments or results of a procedure.
 *
 * @param isResult whether the item is in the results
 * @param isRepeated whether a message may contain it any number of times, because it is in an array or a list
 * @param isInTree whether it is in a type that contains itself other than as a list, so that the number of its chunks is unbounded
 * @param isInside whether an eligible item contains it here
 * @param inlineLimit the bytes of a message that go inline
 */
public record ItemUse(
        Program.Procedure procedure,
        boolean isResult,
        boolean isRepeated,
        boolean isInTree,
        boolean isInside,
        int inlineLimit) {

    /** The use of all arguments or of the results. */
    static ItemUse ofWhole(Program.Procedure procedure, boolean isResult, int inlineLimit) {
        return new ItemUse(procedure, isResult, false, false, false, inlineLimit);
    }

    /** The use of an item in them. */
    ItemUse of(Occurrence item) {
        return new ItemUse(
                procedure,
                isResult,
                item.isRepeated(),
                item.isNested(),
                item.inside().isPresent(),
                inlineLimit);
    }

    /** The types of the arguments or of the results. */
    List<XdrType> types() {
        return isResult ? List.of(procedure.result()) : procedure.arguments();
    }

    /** Whether both uses are in the same place, of which a message names only the first. */
    boolean isLike(ItemUse other) {
        return procedure.equals(other.procedure) && isResult == other.isResult;
    }

    /** The place in words. */
    String place() {
        return "in the " + (isResult ? "results" : "arguments") + " of `" + procedure.name() + "`";
    }

    /** The uses without those in a place that occurred before. */
    static List<ItemUse> distinct(List<ItemUse> uses) {
        List<ItemUse> kept = new ArrayList<>();
        for (ItemUse use : uses) {
            if (kept.stream().noneMatch(use::isLike)) {
                kept.add(use);
            }
        }
        return kept;
    }
}
