// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.emit;

import com.palantir.javapoet.CodeBlock;
import java.util.Map;
import org.emplace.compiler.model.Protocol;
import org.emplace.compiler.model.TypeDefinition.Enumeration;
import org.emplace.compiler.model.TypeDefinition.Union;
import org.emplace.compiler.model.XdrType;
import org.emplace.compiler.model.XdrType.Primitive;
import org.emplace.compiler.model.XdrType.Reference;

/**
 * The discriminant of a union: its component, and its values as Java source.
 *
 * @param enumConstants Java constants by wire value; empty where the discriminant is no enum
 */
record Discriminant(Component component, Map<Integer, String> enumConstants) {

    static Discriminant of(Union union, String name, Protocol protocol, Mappings mappings) {
        Component component =
                new Component(name, mappings.of(union.discriminant().type()), union.discriminant());
        XdrType type = protocol.resolve(union.discriminant().type());
        return new Discriminant(
                component,
                type instanceof Reference reference
                                && protocol.type(reference.name()) instanceof Enumeration enumeration
                        ? EnumEmitter.constants(enumeration)
                        : Map.of());
    }

    String name() {
        return component.name();
    }

    boolean isBoolean() {
        return component.mapping() instanceof ScalarMapping scalar && scalar.primitive() == Primitive.BOOL;
    }

    private boolean isUnsigned() {
        return component.mapping() instanceof ScalarMapping scalar && scalar.primitive() == Primitive.UNSIGNED_INT;
    }

    /** A value as an expression. */
    CodeBlock value(long value) {
        if (isBoolean()) {
            return CodeBlock.of("$L", value != 0);
        }
        return component.mapping() instanceof NamedMapping named
                ? CodeBlock.of("$T.$L", named.type(), constant(value))
                : CodeBlock.of("$L", Literals.number(value));
    }

    /** What a switch over an expression of its type is made over. */
    CodeBlock selector(CodeBlock value) {
        return isUnsigned() ? CodeBlock.of("(int) $L", value) : value;
    }

    /** A value as the label of a case. */
    CodeBlock label(long value) {
        return component.mapping() instanceof NamedMapping
                ? CodeBlock.of("$L", constant(value))
                : CodeBlock.of("$L", (int) value);
    }

    /** Whether a switch over these values needs no default. */
    boolean isExhaustedBy(long distinctValues) {
        return !enumConstants.isEmpty() && distinctValues == enumConstants.size();
    }

    private String constant(long value) {
        String constant = enumConstants.get((int) value);
        if (constant == null) {
            throw new IllegalArgumentException("the enum of the discriminant " + name() + " has no value " + value);
        }
        return constant;
    }
}
