// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen.mapping;

import java.util.Optional;
import org.emplace.tests.codegen.mapping.Node.SizeArray;

/**
 * Where a type is drawn, which decides what may be in it.
 *
 * @param depth how many types it is in
 * @param isRepeated whether it is in an array or list
 * @param isAbsentable whether elements of the outermost array may be without it
 * @param operation the operations of which this is a result
 * @param arm which operation
 */
record Place(
        boolean isArgument,
        int depth,
        boolean isRepeated,
        boolean isAbsentable,
        Optional<SizeArray> operation,
        int arm) {

    static final Place ARGUMENT = new Place(true, 0, false, false, Optional.empty(), 0);
    static final Place RESULT = new Place(false, 0, false, false, Optional.empty(), 0);

    static Place operation(SizeArray array, int arm) {
        return new Place(false, 2, false, false, Optional.of(array), arm);
    }

    Place deeper() {
        return new Place(isArgument, depth + 1, isRepeated, isAbsentable, operation, arm);
    }

    /** Inside an option, or an arm of a union. */
    Place absentable() {
        return new Place(isArgument, depth + 1, isRepeated, isRepeated, operation, arm);
    }

    /** Inside an array or list. What is in an inner array may be absent. */
    Place repeated() {
        return new Place(isArgument, depth + 1, true, isAbsentable || isRepeated, operation, arm);
    }

    /** An operation returns its eligible items outside of arrays. */
    boolean isItemAllowed() {
        return operation.isEmpty() || !isRepeated;
    }

    /** Whether a type that was drawn for another place may be here, too. */
    boolean hasAllOf(Place other) {
        return isArgument == other.isArgument
                && (isRepeated || !other.isRepeated)
                && (isAbsentable || !other.isAbsentable)
                && operation.equals(other.operation)
                && (operation.isEmpty() || (arm == other.arm && isRepeated == other.isRepeated));
    }
}
