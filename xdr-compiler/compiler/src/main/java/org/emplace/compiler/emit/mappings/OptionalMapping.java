// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.emit.mappings;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.ParameterizedTypeName;
import com.palantir.javapoet.TypeName;
import java.util.List;
import java.util.Optional;
import org.emplace.compiler.emit.code.Layout;
import org.emplace.compiler.javamodel.JavaType;

/** Optional-data, or a union on {@code bool} with a value for TRUE and void for FALSE, which has the same encoding. */
record OptionalMapping(JavaType.OptionalData model, Mapping element) implements Mapping {

    @Override
    public TypeName type() {
        return ParameterizedTypeName.get(
                ClassName.get(Optional.class), element.type().box());
    }

    @Override
    public CodeBlock encode(String out, CodeBlock value, int depth) {
        return CodeBlock.of("$L.writeOptional$L", out, Layout.innerArguments(List.of(value, element.writer(depth))));
    }

    @Override
    public CodeBlock decode(String in, int depth) {
        return CodeBlock.of("$L.readOptional($L)", in, element.reader(depth));
    }

    @Override
    public CodeBlock checked(CodeBlock value, String field, int depth) {
        String each = Mapping.parameter("each", depth);
        return CodeBlock.of(
                "$L.map($L -> $L)",
                depth == 0 ? Mapping.required(value, field) : value,
                each,
                element.checked(CodeBlock.of("$L", each), field, depth + 1));
    }

    @Override
    public CodeBlock check(String component, String field) {
        if (element.model().isCopied()) {
            return Mapping.super.check(component, field);
        }
        CodeBlock checked = element.checked(CodeBlock.of("each"), field, 1);
        return CodeBlock.builder()
                .addStatement(
                        "$L.ifPresent(each -> $L)", Mapping.required(CodeBlock.of("$L", component), field), checked)
                .build();
    }
}
