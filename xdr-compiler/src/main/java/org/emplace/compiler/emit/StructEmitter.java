// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.emit;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.TypeSpec;
import java.util.List;
import javax.lang.model.element.Modifier;
import org.emplace.compiler.model.TypeDefinition.Structure;

/** A {@code struct}. */
final class StructEmitter {
    private final Names names;
    private final Shapes shapes;
    private final Mappings mappings;

    StructEmitter(Names names, Shapes shapes, Mappings mappings) {
        this.names = names;
        this.shapes = shapes;
        this.mappings = mappings;
    }

    TypeSpec emit(Structure structure) {
        ClassName self = names.type(structure.name());
        List<Component> components = mappings.components(structure);
        TypeSpec.Builder type = Records.builder(self, components)
                .addModifiers(Modifier.PUBLIC)
                .addSuperinterface(Library.VALUE)
                .addJavadoc(documentation(structure, components));
        return type.addMethod(Methods.encodeAll(components, CodeBlock.of("")))
                .addMethod(decode(structure, self, components))
                .build();
    }

    private CodeBlock documentation(Structure structure, List<Component> components) {
        Javadoc javadoc = Javadoc.of(structure.documentation(), "The struct {@code " + structure.name() + "}.")
                .declaration(Declarations.of(structure));
        if (shapes.isLinkedList(structure.name())) {
            javadoc.paragraph(
                    "An element of a linked list: the list is a {@link java.util.List} of these, without the link.");
        }
        return CodeBlock.join(List.of(javadoc.build(), Records.parameters(components)), "");
    }

    private MethodSpec decode(Structure structure, ClassName self, List<Component> components) {
        List<CodeBlock> values =
                components.stream().map(each -> each.mapping().decode("in", 0)).toList();
        CodeBlock made = Methods.construct(self, values);
        MethodSpec.Builder method = Methods.decode(self, "in");
        if (!shapes.isRecursive(structure.name())) {
            return method.addStatement("return $L", made).build();
        }
        return method.addStatement("in.enter()")
                .addStatement("$T value = $L", self, made)
                .addStatement("in.leave()")
                .addStatement("return value")
                .build();
    }
}
