// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.emit.mappings;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import org.emplace.compiler.emit.code.Library;
import org.emplace.compiler.javamodel.JavaType;

/** A type that is a generated class: an enum, struct or union, or a typedef with a class of its own. Its constructor checks its bounds. */
public record NamedMapping(JavaType.Generated model) implements Mapping {

    @Override
    public ClassName type() {
        return Library.generated(model.name());
    }

    @Override
    public CodeBlock encode(String out, CodeBlock value, int depth) {
        return CodeBlock.of("$L.encode($L)", value, out);
    }

    @Override
    public CodeBlock decode(String in, int depth) {
        return CodeBlock.of("$T.decode($L)", type(), in);
    }

    @Override
    public CodeBlock reader(int depth) {
        return CodeBlock.of("$T::decode", type());
    }

    @Override
    public CodeBlock checked(CodeBlock value, String field, int depth) {
        return value;
    }
}
