// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.emit.mappings;

import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.TypeName;
import org.emplace.compiler.emit.code.Library;
import org.emplace.compiler.javamodel.JavaType;

/** Numbers and {@code bool}. */
public record ScalarMapping(JavaType.Scalar model) implements Mapping {

    @Override
    public TypeName type() {
        return switch (model.primitive()) {
            case INT -> TypeName.INT;
            case UNSIGNED_INT, HYPER, UNSIGNED_HYPER -> TypeName.LONG;
            case FLOAT -> TypeName.FLOAT;
            case DOUBLE -> TypeName.DOUBLE;
            case QUADRUPLE -> Library.QUADRUPLE;
            case BOOL -> TypeName.BOOLEAN;
            case VOID -> TypeName.VOID;
        };
    }

    /** The ending of the encoder's and the decoder's method names. */
    String suffix() {
        return switch (model.primitive()) {
            case INT -> "Int";
            case UNSIGNED_INT -> "UnsignedInt";
            case HYPER -> "Hyper";
            case UNSIGNED_HYPER -> "UnsignedHyper";
            case FLOAT -> "Float";
            case DOUBLE -> "Double";
            case QUADRUPLE -> "Quadruple";
            case BOOL -> "Boolean";
            case VOID -> throw new IllegalStateException("void has no encoding");
        };
    }

    @Override
    public CodeBlock encode(String out, CodeBlock value, int depth) {
        return CodeBlock.of("$L.write$L($L)", out, suffix(), value);
    }

    /** Whether the encoder has a method that writes two of these numbers. */
    public boolean isWrittenInPairs() {
        return switch (model.primitive()) {
            case INT, UNSIGNED_INT, HYPER, UNSIGNED_HYPER -> true;
            case FLOAT, DOUBLE, QUADRUPLE, BOOL, VOID -> false;
        };
    }

    public CodeBlock encodePair(String out, String first, String second) {
        return CodeBlock.of("$L.write$Ls($L, $L)", out, suffix(), first, second);
    }

    @Override
    public CodeBlock decode(String in, int depth) {
        return CodeBlock.of("$L.read$L()", in, suffix());
    }

    @Override
    public CodeBlock writer(int depth) {
        return CodeBlock.of("$T::write$L", Library.ENCODER, suffix());
    }

    @Override
    public CodeBlock reader(int depth) {
        return CodeBlock.of("$T::read$L", Library.DECODER, suffix());
    }

    @Override
    public CodeBlock checked(CodeBlock value, String field, int depth) {
        return CodeBlock.of("$T.unsignedInt($L, $S)", Library.BOUNDS, value, field);
    }
}
