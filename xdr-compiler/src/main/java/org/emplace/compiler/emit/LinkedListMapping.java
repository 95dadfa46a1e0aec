// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.emit;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.ParameterizedTypeName;
import com.palantir.javapoet.TypeName;
import java.util.List;
import org.emplace.compiler.javamodel.JavaType;

/** Optional-data of a struct whose last member is optional-data of itself: a list, coded by a loop. */
record LinkedListMapping(JavaType.LinkedList model, Mapping element) implements Mapping {

    @Override
    public TypeName type() {
        return ParameterizedTypeName.get(ClassName.get(List.class), element.type());
    }

    @Override
    public CodeBlock encode(String out, CodeBlock value, int depth) {
        return CodeBlock.of("$L.writeLinkedList($L, $L)", out, value, element.writer(depth));
    }

    @Override
    public CodeBlock decode(String in, int depth) {
        return CodeBlock.of("$L.readLinkedList($L)", in, element.reader(depth));
    }

    @Override
    public CodeBlock checked(CodeBlock value, String field, int depth) {
        return CodeBlock.of("$T.copyOf($L)", List.class, value);
    }
}
