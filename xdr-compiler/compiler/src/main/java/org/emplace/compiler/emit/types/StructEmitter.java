// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.emit.types;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.FieldSpec;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.ParameterizedTypeName;
import com.palantir.javapoet.TypeSpec;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import org.emplace.compiler.emit.code.Declarations;
import org.emplace.compiler.emit.code.Javadoc;
import org.emplace.compiler.emit.code.Library;
import org.emplace.compiler.emit.mappings.LinkedListMapping;
import org.emplace.compiler.emit.mappings.Mapping;
import org.emplace.compiler.javamodel.Component;
import org.emplace.compiler.javamodel.JavaClass.Structure;

/** Writes a {@code struct}. */
public final class StructEmitter {
    private StructEmitter() {}

    /**
     * The class of a struct.
     *
     * @param inside the names of the classes that will be nested in it
     */
    public static TypeSpec.Builder emit(Structure structure, Set<String> inside) {
        ClassName self = Library.generated(structure.name());
        TypeSpec.Builder type = Records.builder(self, structure.components(), inside, CodeBlock.of(""))
                .addModifiers(Modifier.PUBLIC)
                .addSuperinterface(Library.VALUE)
                .addJavadoc(documentation(structure));
        if (structure.isAroundLink()) {
            type.addField(linked(structure, self))
                    .addType(beforeLink(structure, self.nestedClass(Structure.BEFORE_LINK)));
        }
        if (structure.hasWithers()) {
            structure.components().forEach(each -> type.addMethod(wither(structure, self, each)));
        }
        return type.addMethod(Methods.encodeAll(structure.components(), CodeBlock.of(""), structure.isRecursive()))
                .addMethod(decode(structure, self));
    }

    private static MethodSpec wither(Structure structure, ClassName self, Component changed) {
        List<CodeBlock> values = structure.components().stream()
                .map(each -> CodeBlock.of("$L", each.name()))
                .toList();
        return Methods.described(changed.wither(), "A copy with another {@code " + changed.name() + "}.", self)
                .addParameter(Mapping.of(changed.type()).type(), changed.name())
                .addStatement("return $L", Methods.construct(self, values))
                .build();
    }

    private static CodeBlock documentation(Structure structure) {
        Javadoc javadoc =
                Javadoc.of(structure.definition(), "struct").declaration(Declarations.of(structure.definition()));
        if (structure.link().isPresent()) {
            javadoc.paragraph(
                    "An element of a linked list, without its link: the list is a {@link java.util.List} of elements.");
        }
        return CodeBlock.join(List.of(javadoc.build(), Records.parameters(structure.components())), "");
    }

    private static FieldSpec linked(Structure structure, ClassName self) {
        ClassName beforeLink = self.nestedClass(Structure.BEFORE_LINK);
        Stream<CodeBlock> first = structure.beforeLink().stream().map(each -> CodeBlock.of("head.$L()", each.name()));
        Stream<CodeBlock> rest = Methods.decodeAll(structure.afterLink()).stream();
        return FieldSpec.builder(
                        ParameterizedTypeName.get(Library.LINKED_LIST, beforeLink, self),
                        LinkedListMapping.LINKED,
                        Modifier.STATIC,
                        Modifier.FINAL)
                .initializer(
                        "new $T<>($>$>\n$L,\n$L,\nin -> $L,\n(in, head) -> $L)$<$<",
                        Library.LINKED_LIST,
                        writer(structure.beforeLink()),
                        writer(structure.afterLink()),
                        Methods.construct(beforeLink, Methods.decodeAll(structure.beforeLink())),
                        Methods.construct(self, Stream.concat(first, rest).toList()))
                .build();
    }

    private static CodeBlock writer(List<Component> components) {
        CodeBlock.Builder code = CodeBlock.builder().add("(out, entry) -> {$>\n");
        components.forEach(each ->
                code.addStatement(Mapping.of(each.type()).encode("out", CodeBlock.of("entry.$L()", each.name()), 0)));
        return code.add("$<}").build();
    }

    private static TypeSpec beforeLink(Structure structure, ClassName self) {
        MethodSpec constructor = MethodSpec.constructorBuilder()
                .addParameters(Signature.parameters(structure.beforeLink()))
                .build();
        return TypeSpec.recordBuilder(self)
                .addJavadoc(Javadoc.sentence("The members before the link."))
                .recordConstructor(constructor)
                .build();
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
