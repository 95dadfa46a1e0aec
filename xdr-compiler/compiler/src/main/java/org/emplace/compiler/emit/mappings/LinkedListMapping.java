// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.emit.mappings;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.ParameterizedTypeName;
import com.palantir.javapoet.TypeName;
import java.util.List;
import org.emplace.compiler.emit.code.Library;
import org.emplace.compiler.javamodel.JavaType;

/** A list that XDR expresses by links, encoded and decoded by a loop. */
public record LinkedListMapping(JavaType.LinkedList model, Mapping element) implements Mapping {
    /** The constant that encodes and decodes a list whose link is not the struct's last member. */
    public static final String LINKED = "LINKED";

    @Override
    public TypeName type() {
        return ParameterizedTypeName.get(ClassName.get(List.class), element.type());
    }

    @Override
    public CodeBlock encode(String out, CodeBlock value, int depth) {
        return model.isAroundLink()
                ? CodeBlock.of("$T.$L.write$L($L, $L)", element.type(), LINKED, nonEmpty(), out, value)
                : CodeBlock.of("$L.write$LLinkedList($L, $L)", out, nonEmpty(), value, element.writer(depth));
    }

    @Override
    public CodeBlock decode(String in, int depth) {
        return model.isAroundLink()
                ? CodeBlock.of("$T.$L.read$L($L)", element.type(), LINKED, nonEmpty(), in)
                : CodeBlock.of("$L.read$LLinkedList($L)", in, nonEmpty(), element.reader(depth));
    }

    private String nonEmpty() {
        return model.isNonEmpty() ? "NonEmpty" : "";
    }

    @Override
    public CodeBlock checked(CodeBlock value, String field, int depth) {
        return CodeBlock.of(
                "$T.$L($L, $S)", Library.BOUNDS, model.isNonEmpty() ? "nonEmptyList" : "list", value, field);
    }
}
