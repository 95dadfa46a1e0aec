// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.emit;

import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.TypeName;
import org.emplace.compiler.javamodel.JavaType;

/** {@code opaque} and {@code string}, whether held as a value or as a payload. */
record BytesMapping(JavaType.Bytes model) implements Mapping {

    @Override
    public TypeName type() {
        return switch (model.kind()) {
            case OPAQUE, FIXED_OPAQUE -> Library.OPAQUE;
            case STRING -> Library.STRING;
            case PAYLOAD, FIXED_PAYLOAD -> Library.PAYLOAD;
        };
    }

    /** The part of the encoder's and the decoder's method names after {@code write} and {@code read}. */
    private String suffix() {
        return switch (model.kind()) {
            case OPAQUE -> "Opaque";
            case FIXED_OPAQUE -> "FixedOpaque";
            case STRING -> "String";
            case PAYLOAD -> "Payload";
            case FIXED_PAYLOAD -> "FixedPayload";
        };
    }

    private String check() {
        return switch (model.kind()) {
            case OPAQUE -> "opaque";
            case FIXED_OPAQUE -> "fixedOpaque";
            case STRING -> "string";
            case PAYLOAD -> "payload";
            case FIXED_PAYLOAD -> "fixedPayload";
        };
    }

    @Override
    public CodeBlock encode(String out, CodeBlock value, int depth) {
        return CodeBlock.of("$L.write$L($L)", out, suffix(), value);
    }

    @Override
    public CodeBlock decode(String in, int depth) {
        return CodeBlock.of("$L.read$L($L)", in, suffix(), Literals.bound(model.size()));
    }

    @Override
    public CodeBlock writer(int depth) {
        return CodeBlock.of("$T::write$L", Library.ENCODER, suffix());
    }

    @Override
    public CodeBlock checked(CodeBlock value, String field, int depth) {
        return CodeBlock.of("$T.$L($L, $S, $L)", Library.BOUNDS, check(), value, field, Literals.bound(model.size()));
    }
}
