// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.emit;

import com.palantir.javapoet.CodeBlock;
import java.util.Optional;
import org.emplace.compiler.javamodel.JavaClass;
import org.emplace.compiler.javamodel.JavaModel;
import org.emplace.compiler.javamodel.JavaType;
import org.emplace.compiler.model.TypeDefinition;
import org.emplace.compiler.model.XdrType;

/**
 * An expression of a type behind all typedefs.
 *
 * @param code the expression
 * @param type the type of the expression; never a typedef
 */
record Held(CodeBlock code, XdrType type) {

    /** What a value of a type holds in the end. Takes values out of the records of typedefs that are types of their own. */
    static Held in(CodeBlock value, XdrType type, JavaModel model) {
        CodeBlock code = value;
        XdrType at = type;
        while (at instanceof XdrType.Reference reference
                && model.protocol().type(reference.name()) instanceof TypeDefinition.Typedef typedef) {
            Optional<JavaClass.Value> wrapper = model.valueOf(at);
            if (wrapper.isPresent()) {
                boolean isBits = wrapper.get().component().type() instanceof JavaType.Bits;
                code = CodeBlock.of("$L.$L()$L", code, wrapper.get().component().name(), isBits ? ".words()" : "");
            }
            at = typedef.target();
        }
        return new Held(code, at);
    }
}
