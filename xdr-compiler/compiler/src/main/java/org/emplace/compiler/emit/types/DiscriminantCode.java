// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.emit.types;

import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.TypeName;
import org.emplace.compiler.emit.code.Layout;
import org.emplace.compiler.emit.code.Literals;
import org.emplace.compiler.emit.mappings.Mapping;
import org.emplace.compiler.javamodel.JavaClass.Discriminant;
import org.emplace.compiler.javamodel.JavaType;
import org.emplace.compiler.javamodel.UnionArm;

/** Writes the values of a union's discriminant as Java source. */
public record DiscriminantCode(Discriminant discriminant) {

    public String name() {
        return discriminant.name();
    }

    Mapping mapping() {
        return Mapping.of(discriminant.component().type());
    }

    public TypeName type() {
        return mapping().type();
    }

    /** A value as an expression. */
    public CodeBlock value(long value) {
        if (discriminant.isBoolean()) {
            return CodeBlock.of("$L", value != 0);
        }
        return isEnum() ? CodeBlock.of("$T.$L", type(), constant(value)) : CodeBlock.of("$L", Literals.number(value));
    }

    /** What a switch over an expression of the discriminant's type switches on. */
    public CodeBlock selector(CodeBlock value) {
        if (discriminant.isOpen()) {
            return CodeBlock.of("$L.value()", value);
        }
        return discriminant.isUnsigned() ? CodeBlock.of("(int) $L", value) : value;
    }

    /** A value as the label of a case. */
    public CodeBlock label(long value) {
        return isEnum() && !discriminant.isOpen()
                ? CodeBlock.of("$L", constant(value))
                : CodeBlock.of("$L", (int) value);
    }

    /** The label of the case that selects an arm. */
    public CodeBlock label(UnionArm arm) {
        return arm.isDefault()
                ? CodeBlock.of("default")
                : CodeBlock.of(
                        "case $L",
                        Layout.labels(arm.values().stream().map(this::label).toList()));
    }

    private boolean isEnum() {
        return discriminant.component().type() instanceof JavaType.Generated;
    }

    private String constant(long value) {
        String constant = discriminant.enumConstants().get((int) value);
        if (constant == null) {
            throw new IllegalArgumentException("the enum of the discriminant " + name() + " has no value " + value);
        }
        return constant;
    }
}
