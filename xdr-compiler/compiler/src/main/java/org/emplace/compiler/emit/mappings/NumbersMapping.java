// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.emit.mappings;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.TypeName;
import org.emplace.compiler.emit.code.Library;
import org.emplace.compiler.emit.code.Literals;
import org.emplace.compiler.javamodel.JavaType;

/** An array of fixed or variable length whose elements are numbers. */
public record NumbersMapping(JavaType.Numbers model) implements Mapping {

    @Override
    public ClassName type() {
        return switch (model.element()) {
            case INT -> Library.INTS;
            case UNSIGNED_INT -> Library.UNSIGNED_INTS;
            case HYPER, UNSIGNED_HYPER -> Library.LONGS;
            case FLOAT -> Library.FLOATS;
            case DOUBLE -> Library.DOUBLES;
            case QUADRUPLE, BOOL, VOID -> throw new IllegalStateException("a list of " + model.element());
        };
    }

    /** The type of the elements. */
    public TypeName elementType() {
        return new ScalarMapping(new JavaType.Scalar(model.element())).type();
    }

    @Override
    public CodeBlock encode(String out, CodeBlock value, int depth) {
        return CodeBlock.of("$L.encode$L($L)", value, model.fixed() ? "Fixed" : "", out);
    }

    @Override
    public CodeBlock decode(String in, int depth) {
        return CodeBlock.of(
                "$T.decode$L($L, $L)", type(), model.fixed() ? "Fixed" : "", in, Literals.bound(model.size()));
    }

    @Override
    public CodeBlock checked(CodeBlock value, String field, int depth) {
        return CodeBlock.of(
                "$T.$L($L, $S, $L)",
                Library.BOUNDS,
                model.fixed() ? "fixedNumbers" : "numbers",
                value,
                field,
                Literals.bound(model.size()));
    }
}
