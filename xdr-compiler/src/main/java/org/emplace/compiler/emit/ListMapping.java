// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.emit;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.ParameterizedTypeName;
import com.palantir.javapoet.TypeName;
import java.util.List;
import org.emplace.compiler.javamodel.JavaType;

/** An array of either kind. */
record ListMapping(JavaType.Array model, Mapping element) implements Mapping {

    @Override
    public TypeName type() {
        return ParameterizedTypeName.get(
                ClassName.get(List.class), element.type().box());
    }

    @Override
    public CodeBlock encode(String out, CodeBlock value, int depth) {
        return CodeBlock.of("$L.write$LArray($L, $L)", out, model.fixed() ? "Fixed" : "", value, element.writer(depth));
    }

    @Override
    public CodeBlock decode(String in, int depth) {
        return model.fixed()
                ? CodeBlock.of("$L.readFixedArray($L, $L)", in, Literals.bound(model.size()), element.reader(depth))
                : CodeBlock.of(
                        "$L.readArray($L, $L, $L)",
                        in,
                        Literals.bound(model.size()),
                        model.element().minimumSize(),
                        element.reader(depth));
    }

    /** As {@link #decode}, of an array that may end with an element of the arm {@code undefined}. */
    CodeBlock decodeOperations(String in, ClassName undefined) {
        return CodeBlock.of(
                "$L.readOperations($L, $L, $L, each -> each instanceof $T)",
                in,
                Literals.bound(model.size()),
                model.element().minimumSize(),
                element.reader(0),
                undefined);
    }

    @Override
    public CodeBlock checked(CodeBlock value, String field, int depth) {
        if (!element.model().isBounded() && !element.model().isCopied()) {
            return copied(value, field);
        }
        String each = Mapping.parameter("each", depth);
        CodeBlock element = this.element.checked(CodeBlock.of("$L", each), field, depth + 1);
        return copied(CodeBlock.of("$L.stream().map($L -> $L).toList()", value, each, element), field);
    }

    @Override
    public CodeBlock check(String component, String field) {
        if (element.model().isCopied() || !element.model().isBounded()) {
            return Mapping.super.check(component, field);
        }
        return CodeBlock.builder()
                .addStatement("$L = $L", component, copied(CodeBlock.of("$L", component), field))
                .addStatement("$L.forEach(each -> $L)", component, element.checked(CodeBlock.of("each"), field, 1))
                .build();
    }

    private CodeBlock copied(CodeBlock value, String field) {
        if (model.fixed()) {
            return CodeBlock.of("$T.fixedList($L, $S, $L)", Library.BOUNDS, value, field, Literals.bound(model.size()));
        }
        return Literals.isUnbounded(model.size())
                ? CodeBlock.of("$T.copyOf($L)", List.class, value)
                : CodeBlock.of("$T.list($L, $S, $L)", Library.BOUNDS, value, field, Literals.bound(model.size()));
    }
}
