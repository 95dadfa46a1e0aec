// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.emit;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.TypeSpec;
import java.util.List;
import javax.lang.model.element.Modifier;
import org.emplace.compiler.javamodel.JavaClass.Structure;

/** A {@code struct}. */
final class StructEmitter {
    private StructEmitter() {}

    static TypeSpec emit(Structure structure) {
        ClassName self = Library.generated(structure.name());
        return Records.builder(self, structure.components())
                .addModifiers(Modifier.PUBLIC)
                .addSuperinterface(Library.VALUE)
                .addJavadoc(documentation(structure))
                .addMethod(Methods.encodeAll(structure.components(), CodeBlock.of("")))
                .addMethod(decode(structure, self))
                .build();
    }

    private static CodeBlock documentation(Structure structure) {
        String name = structure.definition().name();
        Javadoc javadoc = Javadoc.of(structure.definition().documentation(), "The struct {@code " + name + "}.")
                .declaration(Declarations.of(structure.definition()));
        if (structure.isListElement()) {
            javadoc.paragraph(
                    "An element of a linked list: the list is a {@link java.util.List} of these, without the link.");
        }
        return CodeBlock.join(List.of(javadoc.build(), Records.parameters(structure.components())), "");
    }

    private static MethodSpec decode(Structure structure, ClassName self) {
        CodeBlock made = Methods.construct(self, Methods.decodeAll(structure.components()));
        MethodSpec.Builder method = Methods.decode(self, "in");
        if (!structure.isRecursive()) {
            return method.addStatement("return $L", made).build();
        }
        return method.addStatement("in.enter()")
                .addStatement("$T value = $L", self, made)
                .addStatement("in.leave()")
                .addStatement("return value")
                .build();
    }
}
