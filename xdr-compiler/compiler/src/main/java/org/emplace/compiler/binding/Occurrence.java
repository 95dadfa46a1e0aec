// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.binding;

import java.util.List;
import java.util.Optional;
import org.emplace.compiler.model.Target;
import org.emplace.compiler.model.TypeDefinition;

/**
 * An item at a place in one procedure.
 *
 * @param path the names of members from the arguments or results on, with {@code []} for the elements of an array
 * @param item the member or arm that the binding names
 * @param field its declaration
 * @param eligible whether it is eligible here
 * @param inside the eligible item that contains it here
 * @param isNested whether a type on the path contains itself other than as a linked list, so that a message may contain the item any number of times,
 *     in any order
 */
public record Occurrence(
        List<String> path,
        Target.Item item,
        TypeDefinition.Field field,
        boolean eligible,
        Optional<Target.Item> inside,
        boolean isNested) {

    /** Stands for the elements of an array in a path. */
    static final String ELEMENTS = "[]";

    Occurrence nested() {
        return new Occurrence(path, item, field, eligible, inside, true);
    }

    static List<String> withoutBrackets(List<String> path) {
        return path.stream().filter(name -> !name.equals(ELEMENTS)).toList();
    }

    /** Whether a message may contain it any number of times, because it is in an array or a linked list. */
    public boolean isRepeated() {
        return path.contains(ELEMENTS);
    }
}
