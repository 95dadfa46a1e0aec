// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.link;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.model.Protocol;
import org.emplace.compiler.model.StrongComponents;
import org.emplace.compiler.model.TypeDefinition;
import org.emplace.compiler.model.TypeUse;
import org.emplace.compiler.model.XdrType;
import org.emplace.compiler.source.Span;

/** Part of pass 6: the size of the smallest value of each type. It must fit a message, and must not be zero for elements of arrays. */
final class SmallestSizes {

    private static final long LARGEST_MESSAGE = Integer.MAX_VALUE;

    private final Map<String, Long> known = new HashMap<>();
    private final Protocol protocol;
    private final Diagnostics diagnostics;

    SmallestSizes(Protocol protocol, Diagnostics diagnostics) {
        this.protocol = protocol;
        this.diagnostics = diagnostics;
    }

    void check() {
        StrongComponents.of(protocol.types().keySet(), this::used).forEach(this::measure);
        protocol.types().values().forEach(this::check);
    }

    private List<String> used(String name) {
        return TypeUse.of(protocol.type(name)).stream().map(TypeUse::type).toList();
    }

    /** Reduces the sizes of types that use each other until none changes. */
    private void measure(List<String> component) {
        component.forEach(name -> known.put(name, LARGEST_MESSAGE + 1));
        boolean isSmaller = true;
        while (isSmaller) {
            isSmaller = false;
            for (String name : component) {
                long size = Math.min(compute(protocol.type(name)), LARGEST_MESSAGE + 1);
                isSmaller |= size < Objects.requireNonNull(known.put(name, size));
            }
        }
    }

    private void check(TypeDefinition definition) {
        if (of(definition) > LARGEST_MESSAGE) {
            diagnostics.report(Diagnostic.error(
                    "E211",
                    definition.origin(),
                    "even the smallest `" + definition.name() + "` exceeds the largest message (" + LARGEST_MESSAGE
                            + " bytes)"));
        }
        if (definition instanceof TypeDefinition.Typedef typedef) {
            elements(typedef.name(), typedef.target(), typedef.origin());
        }
        definition.members().forEach(this::elements);
    }

    private void elements(TypeDefinition.Field field) {
        elements(field.name(), field.type(), field.origin());
    }

    private void elements(String name, XdrType type, Span origin) {
        if (type instanceof XdrType.Array array && of(array.element()) == 0) {
            diagnostics.report(Diagnostic.error(
                    "E219",
                    origin,
                    "the elements of `" + name + "` take no bytes, so a message could have any number of them"));
        }
    }

    private long of(TypeDefinition definition) {
        return Objects.requireNonNull(known.get(definition.name()));
    }

    private long compute(TypeDefinition definition) {
        if (definition instanceof TypeDefinition.Typedef typedef) {
            return of(typedef.target());
        } else if (definition instanceof TypeDefinition.Structure structure) {
            return sum(structure.fields());
        } else if (definition instanceof TypeDefinition.Union union) {
            return Integer.BYTES + smallestArm(union);
        } else {
            return Integer.BYTES;
        }
    }

    private long sum(List<TypeDefinition.Field> fields) {
        return fields.stream().mapToLong(field -> of(field.type())).sum();
    }

    private long smallestArm(TypeDefinition.Union union) {
        return union.allArms()
                .mapToLong(arm -> arm.field().map(field -> of(field.type())).orElse(0L))
                .min()
                .orElse(0);
    }

    private long of(XdrType type) {
        if (type instanceof XdrType.Primitive primitive) {
            return primitive.encodedSize();
        } else if (type instanceof XdrType.FixedOpaque opaque) {
            return (opaque.size() + 3) & ~3L;
        } else if (type instanceof XdrType.FixedArray array) {
            // Both factors are below 2^32, so the product cannot overflow.
            return Math.min(array.size() * of(array.element()), LARGEST_MESSAGE + 1);
        } else if (type instanceof XdrType.Reference reference) {
            return of(protocol.type(reference.name()));
        } else {
            return Integer.BYTES;
        }
    }
}
