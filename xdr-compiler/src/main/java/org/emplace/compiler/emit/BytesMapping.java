// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.emit;

import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.TypeName;

/**
 * {@code opaque} and {@code string}, whether held as a value or as a payload.
 *
 * @param size the fixed size, or the bound
 */
record BytesMapping(Kind kind, long size) implements Mapping {

    /** What the Java type and the runtime's methods are. */
    enum Kind {
        OPAQUE("Opaque", "opaque", false),
        FIXED_OPAQUE("FixedOpaque", "fixedOpaque", true),
        STRING("String", "string", false),
        PAYLOAD("Payload", "payload", false),
        FIXED_PAYLOAD("FixedPayload", "fixedPayload", true);

        private final String suffix;
        private final String check;
        private final boolean fixed;

        Kind(String suffix, String check, boolean fixed) {
            this.suffix = suffix;
            this.check = check;
            this.fixed = fixed;
        }
    }

    @Override
    public TypeName type() {
        return switch (kind) {
            case OPAQUE, FIXED_OPAQUE -> Library.OPAQUE;
            case STRING -> Library.STRING;
            case PAYLOAD, FIXED_PAYLOAD -> Library.PAYLOAD;
        };
    }

    @Override
    public CodeBlock encode(String out, CodeBlock value, int depth) {
        return CodeBlock.of("$L.write$L($L)", out, kind.suffix, value);
    }

    @Override
    public CodeBlock decode(String in, int depth) {
        return CodeBlock.of("$L.read$L($L)", in, kind.suffix, Literals.bound(size));
    }

    @Override
    public CodeBlock writer(int depth) {
        return CodeBlock.of("$T::write$L", Library.ENCODER, kind.suffix);
    }

    /** A payload of fixed size that is elsewhere, as a chunk, leaves nothing in the stream. */
    @Override
    public int minimumSize() {
        return switch (kind) {
            case FIXED_PAYLOAD -> 0;
            case FIXED_OPAQUE -> (int) Math.min((size + 3) & ~3L, Integer.MAX_VALUE);
            case OPAQUE, STRING, PAYLOAD -> 4;
        };
    }

    @Override
    public boolean isBounded() {
        return kind.fixed || !Literals.isUnbounded(size);
    }

    @Override
    public boolean isCopied() {
        return false;
    }

    @Override
    public CodeBlock checked(CodeBlock value, String field, int depth) {
        return CodeBlock.of("$T.$L($L, $S, $L)", Library.BOUNDS, kind.check, value, field, Literals.bound(size));
    }
}
