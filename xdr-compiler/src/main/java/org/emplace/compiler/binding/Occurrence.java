// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.binding;

import java.util.List;
import java.util.Optional;
import org.emplace.compiler.model.Target;
import org.emplace.compiler.model.TypeDefinition;

/**
 * An item that clauses make eligible somewhere, as one procedure reaches it.
 *
 * @param path member names from the arguments or results on, {@code []} where an array is passed through
 * @param field its declaration
 * @param eligible whether it is eligible here
 * @param inside the eligible item that it is a part of here
 * @param isNested whether a type on the way holds itself otherwise than as a list, so that a message may have any number of it, in any order
 */
record Occurrence(
        List<String> path,
        Target.Item item,
        TypeDefinition.Field field,
        boolean eligible,
        Optional<Target.Item> inside,
        boolean isNested) {

    Occurrence nested() {
        return new Occurrence(path, item, field, eligible, inside, true);
    }

    /** How a path denotes the elements of an array. */
    static final String ELEMENTS = "[]";

    static List<String> withoutBrackets(List<String> path) {
        return path.stream().filter(name -> !name.equals(ELEMENTS)).toList();
    }

    /** Whether there may be any number of it. */
    boolean isRepeated() {
        return path.contains(ELEMENTS);
    }
}
