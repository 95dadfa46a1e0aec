// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.binding;

import java.util.List;
import org.emplace.compiler.model.TypeDefinition.CaseValue;
import org.emplace.compiler.model.TypeDefinition.Union;

/**
 * A procedure whose calls are lists of operations: an array in its results matches one in its arguments by index, up to the first operation that
 * fails.
 *
 * @param argumentArray the XDR name of the array, which is an argument or a member of the only one
 * @param resultArray the XDR name of the array, which is a member of the results
 * @param arguments the union of the elements of the arguments' array
 * @param results the union of the elements of the results' array, whose discriminant has the same type
 * @param status the enum that tells whether an operation succeeded
 * @param success the value of this enum after which the server runs the next operation
 * @param isWhole whether the results of an operation that succeeds have all eligible items that it can have
 * @param operations the values of the discriminant for which both unions have an arm
 */
public record OperationMatch(
        String argumentArray,
        String resultArray,
        Union arguments,
        Union results,
        String status,
        int success,
        boolean isWhole,
        List<CaseValue> operations) {}
