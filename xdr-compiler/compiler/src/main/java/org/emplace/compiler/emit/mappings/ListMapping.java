// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.emit.mappings;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.ParameterizedTypeName;
import com.palantir.javapoet.TypeName;
import java.util.ArrayList;
import java.util.List;
import org.emplace.compiler.emit.code.Layout;
import org.emplace.compiler.emit.code.Library;
import org.emplace.compiler.emit.code.Literals;
import org.emplace.compiler.javamodel.JavaType;

/** An array of fixed or variable length. */
public record ListMapping(JavaType.Array model, Mapping element) implements Mapping {

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
                : CodeBlock.of("$L.readArray$L", in, Layout.innerArguments(arguments(depth)));
    }

    /** Like {@link #decode}, for an array that may end with an element of the arm {@code undefined}. */
    public CodeBlock decodeOperations(String in, ClassName undefined) {
        List<CodeBlock> arguments = new ArrayList<>(arguments(0));
        arguments.add(CodeBlock.of("each -> each instanceof $T", undefined));
        return CodeBlock.of("$L.readOperations$L", in, Layout.innerArguments(arguments));
    }

    private List<CodeBlock> arguments(int depth) {
        CodeBlock minimumSize = CodeBlock.of("$L", model.element().minimumSize());
        return List.of(Literals.bound(model.size()), minimumSize, element.reader(depth));
    }

    @Override
    public CodeBlock checked(CodeBlock value, String field, int depth) {
        if (!element.model().isBounded() && !element.model().isCopied()) {
            return copied(value, field);
        }
        String each = Mapping.parameter("each", depth);
        CodeBlock element = this.element.checked(CodeBlock.of("$L", each), field, depth + 1);
        CodeBlock list = depth == 0 ? Mapping.required(value, field) : value;
        CodeBlock checked = Layout.chain(List.of(
                list,
                CodeBlock.of(".stream()"),
                CodeBlock.of(".map($L -> $L)", each, element),
                CodeBlock.of(".toList()")));
        return copied(checked, field);
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
        List<CodeBlock> arguments = new ArrayList<>(List.of(value, CodeBlock.of("$S", field)));
        if (model.isSized()) {
            arguments.add(Literals.bound(model.size()));
        }
        return CodeBlock.of(
                "$T.$L$L", Library.BOUNDS, model.fixed() ? "fixedList" : "list", Layout.innerArguments(arguments));
    }
}
