// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.suggest;

import java.util.ArrayList;
import java.util.List;
import org.emplace.compiler.model.Program;

/**
 * That the arguments or the results of a procedure hold an item.
 *
 * @param isResult whether it is the results that hold it
 * @param isRepeated whether a message may hold any number of it: it is in an array or a list
 * @param isInTree whether it is in a type that contains itself otherwise than as a list, so that the number of its chunks has no bound
 * @param isInside whether an eligible item holds it here
 * @param inlineLimit bytes of a message that go inline
 */
public record ItemUse(
        Program.Procedure procedure,
        boolean isResult,
        boolean isRepeated,
        boolean isInTree,
        boolean isInside,
        int inlineLimit) {

    /** This use, one step further on the way to an item. */
    ItemUse within(boolean repeated, boolean tree, boolean inside) {
        return new ItemUse(
                procedure, isResult, isRepeated || repeated, isInTree || tree, isInside || inside, inlineLimit);
    }

    /** Whether the binding's author would see the same item in the same place: the first of each is worth a line. */
    boolean isLike(ItemUse other) {
        return procedure.equals(other.procedure) && isResult == other.isResult;
    }

    /** The place in words. */
    String place() {
        return "in the " + (isResult ? "results" : "arguments") + " of `" + procedure.name() + "`";
    }

    /** The uses without those that are like an earlier one. */
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
