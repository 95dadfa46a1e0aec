// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.javamodel;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.emplace.compiler.javamodel.JavaClass.Discriminant;
import org.emplace.compiler.model.TypeDefinition.CaseValue;

/**
 * An arm of a union, as a record.
 *
 * @param name of the record
 * @param method of the visitor
 * @param value its member; empty if the arm is void
 * @param cases the values that select it; for the default arm, the values that do not
 * @param keepsDiscriminant whether several values select it, so that the record must hold the discriminant
 */
public record UnionArm(
        JavaName name,
        String method,
        Optional<Component> value,
        List<CaseValue> cases,
        boolean isDefault,
        boolean keepsDiscriminant,
        String documentation) {

    /** The nested interface with a method for each arm. */
    public static final String VISITOR = "Visitor";

    /** The visitor's method for arms whose method is not overridden. */
    public static final String OTHERWISE = "otherwise";

    /** The components of the record. */
    public List<Component> components(Discriminant discriminant) {
        Stream<Component> first = keepsDiscriminant ? Stream.of(discriminant.component()) : Stream.empty();
        return Stream.concat(first, value.stream()).toList();
    }

    /** Whether a value of a {@code bool} discriminant selects it. */
    public boolean isSelectedByFlag(long flag) {
        boolean isListed = cases.stream().anyMatch(each -> each.value() == flag);
        return isDefault != isListed;
    }

    /** The distinct values that select it; for the default arm, the values that do not. */
    public List<Long> values() {
        return cases.stream().map(CaseValue::value).distinct().toList();
    }
}
