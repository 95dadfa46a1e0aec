// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.binding;

import java.util.List;
import java.util.Optional;
import org.emplace.compiler.model.TypeDefinition.CaseValue;
import org.emplace.compiler.model.TypeDefinition.DefaultArm;
import org.emplace.compiler.model.TypeDefinition.Field;
import org.emplace.compiler.model.TypeDefinition.Union;

/**
 * A procedure whose calls are lists of operations: an array of its results matches one of its arguments by index, up to the first operation
 * that fails.
 *
 * @param argumentArray the XDR name of the array, an argument or a member of the only one
 * @param resultArray the XDR name of the array, a member of the results
 * @param arguments the elements of the arguments' array
 * @param results the elements of the results' array, with a discriminant of the same type
 * @param status the enum that says whether an operation succeeded
 * @param success its value after which the next operation is run
 * @param operations the values of the discriminant that both unions have an arm for
 */
public record OperationMatch(
        String argumentArray,
        String resultArray,
        Union arguments,
        Union results,
        String status,
        int success,
        List<CaseValue> operations) {

    /** What a union holds for a value of its discriminant; empty if nothing. */
    static Optional<Field> member(Union union, CaseValue value) {
        return union.arms().stream()
                .filter(arm -> arm.cases().stream().anyMatch(each -> each.value() == value.value()))
                .findFirst()
                .map(arm -> arm.field())
                .orElseGet(() -> union.defaultArm().flatMap(DefaultArm::field));
    }
}
