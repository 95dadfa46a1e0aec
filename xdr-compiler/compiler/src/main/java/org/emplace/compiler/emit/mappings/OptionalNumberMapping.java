// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.emit.mappings;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.TypeName;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.emplace.compiler.emit.code.Library;
import org.emplace.compiler.javamodel.JavaType;
import org.emplace.compiler.model.XdrType.Primitive;

/** Optional-data of a number that {@code java.util} has a primitive optional for. */
public record OptionalNumberMapping(JavaType.OptionalData model, ScalarMapping element) implements Mapping {

    /** Whether there is a primitive optional for a type. */
    static boolean isFor(JavaType type) {
        return type instanceof JavaType.Scalar scalar
                && !optional(scalar.primitive()).equals(Optional.class);
    }

    /** The method of an optional number that returns the number. */
    public static String accessor(Primitive number) {
        String kind = optional(number)
                .getSimpleName()
                .substring(Optional.class.getSimpleName().length());
        return kind.isEmpty() ? "get" : "getAs" + kind;
    }

    private static Class<?> optional(Primitive number) {
        return switch (number) {
            case INT -> OptionalInt.class;
            case UNSIGNED_INT, HYPER, UNSIGNED_HYPER -> OptionalLong.class;
            case DOUBLE -> OptionalDouble.class;
            case FLOAT, QUADRUPLE, BOOL, VOID -> Optional.class;
        };
    }

    @Override
    public TypeName type() {
        return ClassName.get(optional(element.model().primitive()));
    }

    @Override
    public CodeBlock encode(String out, CodeBlock value, int depth) {
        return CodeBlock.of("$T.write$L($L, $L)", Library.OPTIONAL_NUMBERS, element.suffix(), out, value);
    }

    @Override
    public CodeBlock decode(String in, int depth) {
        return CodeBlock.of("$T.read$L($L)", Library.OPTIONAL_NUMBERS, element.suffix(), in);
    }

    @Override
    public CodeBlock writer(int depth) {
        return CodeBlock.of("$T::write$L", Library.OPTIONAL_NUMBERS, element.suffix());
    }

    @Override
    public CodeBlock reader(int depth) {
        return CodeBlock.of("$T::read$L", Library.OPTIONAL_NUMBERS, element.suffix());
    }

    @Override
    public CodeBlock checked(CodeBlock value, String field, int depth) {
        return element.checked(value, field, depth);
    }
}
