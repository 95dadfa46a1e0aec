// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.emit.mappings;

import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.TypeName;
import org.emplace.compiler.emit.code.Library;
import org.emplace.compiler.emit.code.Literals;
import org.emplace.compiler.javamodel.JavaType;

/** An array of words that is a set of bits. */
record BitsMapping(JavaType.Bits model) implements Mapping {

    @Override
    public TypeName type() {
        return Library.BITS;
    }

    @Override
    public CodeBlock encode(String out, CodeBlock value, int depth) {
        return model.fixed()
                ? CodeBlock.of("$L.encodeFixed($L, $L)", value, out, Literals.bound(model.size()))
                : CodeBlock.of("$L.encode($L)", value, out);
    }

    @Override
    public CodeBlock decode(String in, int depth) {
        return CodeBlock.of(
                "$T.decode$L($L, $L)", type(), model.fixed() ? "Fixed" : "", in, Literals.bound(model.size()));
    }

    @Override
    public CodeBlock checked(CodeBlock value, String field, int depth) {
        return CodeBlock.of("$T.bits($L, $S, $L)", Library.BOUNDS, value, field, Literals.bound(model.size()));
    }
}
