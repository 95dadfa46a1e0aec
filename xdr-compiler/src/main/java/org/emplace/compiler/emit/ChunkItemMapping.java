// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.emit;

import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.TypeName;
import org.emplace.compiler.javamodel.JavaType;

/** A DDP-eligible item other than bytes. Its chunk holds its encoding; the count of a counted array stays in the message. */
record ChunkItemMapping(JavaType.ChunkItem model, Mapping item) implements Mapping {

    @Override
    public TypeName type() {
        return item.type();
    }

    @Override
    public CodeBlock encode(String out, CodeBlock value, int depth) {
        return item instanceof ListMapping list && !list.model().fixed()
                ? CodeBlock.of(
                        "$L.writeArrayItem($L, $L)", out, value, list.element().writer(depth))
                : CodeBlock.of("$L.writeItem($L, $L)", out, value, item.writer(depth));
    }

    @Override
    public CodeBlock decode(String in, int depth) {
        return item instanceof ListMapping list && !list.model().fixed()
                ? CodeBlock.of(
                        "$L.readArrayItem($L, $L)",
                        in,
                        Literals.bound(list.model().size()),
                        list.element().reader(depth))
                : CodeBlock.of("$L.readItem($L)", in, item.reader(depth));
    }

    @Override
    public CodeBlock checked(CodeBlock value, String field, int depth) {
        return item.checked(value, field, depth);
    }

    @Override
    public CodeBlock check(String component, String field) {
        return item.check(component, field);
    }
}
