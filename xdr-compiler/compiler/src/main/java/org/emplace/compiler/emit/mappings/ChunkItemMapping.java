// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.emit.mappings;

import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.TypeName;
import java.util.List;
import java.util.Optional;
import org.emplace.compiler.emit.code.Literals;
import org.emplace.compiler.javamodel.JavaType;

/** A DDP-eligible item other than bytes. Its chunk holds its encoding; the count of a counted array and the first flag of a list stay in the message. */
record ChunkItemMapping(JavaType.ChunkItem model, Mapping item) implements Mapping {

    @Override
    public TypeName type() {
        return item.type();
    }

    @Override
    public CodeBlock encode(String out, CodeBlock value, int depth) {
        Optional<OptionalMapping> list = optionalList();
        if (list.isPresent()) {
            String each = Mapping.parameter("each", depth);
            CodeBlock present =
                    CodeBlock.of("$T.of($L).filter($L -> !$L.isEmpty())", Optional.class, value, each, each);
            return list.get().encode(out, present, depth);
        }
        return encodeItem(out, value, depth);
    }

    /** A list that may be empty, as optional-data of one that is not: this is what the message has. */
    private Optional<OptionalMapping> optionalList() {
        if (!(item instanceof LinkedListMapping list) || list.model().isNonEmpty()) {
            return Optional.empty();
        }
        JavaType.LinkedList present =
                new JavaType.LinkedList(list.model().element(), list.model().isAroundLink(), true);
        JavaType.OptionalData optional = new JavaType.OptionalData(new JavaType.ChunkItem(present));
        return Optional.of((OptionalMapping) Mapping.of(optional));
    }

    private CodeBlock encodeItem(String out, CodeBlock value, int depth) {
        return item instanceof ListMapping list && !list.model().fixed()
                ? CodeBlock.of(
                        "$L.writeArrayItem($L, $L)", out, value, list.element().writer(depth))
                : CodeBlock.of("$L.writeItem($L, $L)", out, value, item.writer(depth));
    }

    @Override
    public CodeBlock decode(String in, int depth) {
        return optionalList()
                .map(list -> CodeBlock.of("$L.orElse($T.of())", list.decode(in, depth), List.class))
                .orElseGet(() -> decodeItem(in, depth));
    }

    private CodeBlock decodeItem(String in, int depth) {
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
