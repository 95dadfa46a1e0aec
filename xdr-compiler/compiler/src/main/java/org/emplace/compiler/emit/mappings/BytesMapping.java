// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.emit.mappings;

import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.TypeName;
import org.emplace.compiler.emit.code.Library;
import org.emplace.compiler.emit.code.Literals;
import org.emplace.compiler.javamodel.JavaType;

/** {@code opaque} and {@code string}, held as a value or as a payload, and arrays of numbers held as payloads. */
record BytesMapping(JavaType.Bytes model) implements Mapping {

    @Override
    public TypeName type() {
        return switch (model.kind()) {
            case OPAQUE, FIXED_OPAQUE -> Library.OPAQUE;
            case STRING -> Library.STRING;
            case PAYLOAD, FIXED_PAYLOAD -> Library.PAYLOAD;
        };
    }

    /** The ending of the encoder's and the decoder's method names. */
    private String suffix() {
        return switch (model.kind()) {
            case OPAQUE -> "Opaque";
            case FIXED_OPAQUE -> "FixedOpaque";
            case STRING -> "String";
            case PAYLOAD -> "Payload";
            case FIXED_PAYLOAD -> "FixedPayload";
        };
    }

    @Override
    public CodeBlock encode(String out, CodeBlock value, int depth) {
        if (isCountedInElements()) {
            return CodeBlock.of("$L.writeArrayPayload($L, $L)", out, value, model.elementSize());
        }
        return CodeBlock.of("$L.write$L($L)", out, suffix(), value);
    }

    @Override
    public CodeBlock decode(String in, int depth) {
        if (isCountedInElements()) {
            return CodeBlock.of("$L.readArrayPayload($L, $L)", in, Literals.bound(model.size()), model.elementSize());
        }
        return CodeBlock.of("$L.read$L($L)", in, suffix(), Literals.bound(model.size() * model.elementSize()));
    }

    private boolean isCountedInElements() {
        return model.kind() == JavaType.Bytes.Kind.PAYLOAD && model.elementSize() > 1;
    }

    @Override
    public CodeBlock writer(int depth) {
        if (isCountedInElements()) {
            return Mapping.super.writer(depth);
        }
        return CodeBlock.of("$T::write$L", Library.ENCODER, suffix());
    }

    @Override
    public CodeBlock checked(CodeBlock value, String field, int depth) {
        CodeBlock elementSize = model.elementSize() > 1 ? CodeBlock.of(", $L", model.elementSize()) : CodeBlock.of("");
        return CodeBlock.of(
                "$T.$L($L, $S, $L$L)",
                Library.BOUNDS,
                Character.toLowerCase(suffix().charAt(0)) + suffix().substring(1),
                value,
                field,
                Literals.bound(model.size()),
                elementSize);
    }
}
