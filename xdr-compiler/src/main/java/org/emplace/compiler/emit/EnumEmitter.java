// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.emit;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.FieldSpec;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.TypeName;
import com.palantir.javapoet.TypeSpec;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.lang.model.element.Modifier;
import org.emplace.compiler.model.TypeDefinition.Enumeration;
import org.emplace.compiler.model.TypeDefinition.Enumerator;

/** An {@code enum}. */
final class EnumEmitter {
    private final Names names;

    EnumEmitter(Names names) {
        this.names = names;
    }

    /** The Java constants of an enum by wire value: where several enumerators share a value, the first one's. */
    static Map<Integer, String> constants(Enumeration enumeration) {
        NameScope scope = scope();
        Map<Integer, String> constants = new LinkedHashMap<>();
        for (Enumerator enumerator : enumeration.enumerators()) {
            String name = scope.claim(enumerator.name());
            constants.putIfAbsent(enumerator.value(), name);
        }
        return constants;
    }

    private static NameScope scope() {
        return NameScope.ofMembers("value", "in");
    }

    TypeSpec emit(Enumeration enumeration) {
        ClassName self = names.type(enumeration.name());
        TypeSpec.Builder type = TypeSpec.enumBuilder(self)
                .addModifiers(Modifier.PUBLIC)
                .addSuperinterface(Library.VALUE)
                .addJavadoc(Javadoc.of(enumeration.documentation(), "The enum {@code " + enumeration.name() + "}.")
                        .build());
        addConstants(type, enumeration, self);
        return type.addField(TypeName.INT, "value", Modifier.PRIVATE, Modifier.FINAL)
                .addMethod(constructor())
                .addMethod(value())
                .addMethod(of(enumeration, self))
                .addMethod(encode())
                .addMethod(decode(enumeration, self))
                .build();
    }

    private static void addConstants(TypeSpec.Builder type, Enumeration enumeration, ClassName self) {
        Map<Integer, String> constants = constants(enumeration);
        NameScope scope = scope();
        for (Enumerator enumerator : enumeration.enumerators()) {
            String name = scope.claim(enumerator.name());
            String first = constants.get(enumerator.value());
            if (name.equals(first)) {
                type.addEnumConstant(name, constant(enumerator));
            } else {
                type.addField(FieldSpec.builder(self, name, Modifier.PUBLIC, Modifier.STATIC, Modifier.FINAL)
                        .addJavadoc(Javadoc.of(enumerator.documentation(), "Another name of {@link #" + first + "}.")
                                .build())
                        .initializer("$L", first)
                        .build());
            }
        }
    }

    private static TypeSpec constant(Enumerator enumerator) {
        TypeSpec.Builder constant = TypeSpec.anonymousClassBuilder("$L", enumerator.value());
        if (!enumerator.documentation().isBlank()) {
            constant.addJavadoc(Javadoc.of(enumerator.documentation(), "").build());
        }
        return constant.build();
    }

    private static MethodSpec constructor() {
        return MethodSpec.constructorBuilder()
                .addParameter(TypeName.INT, "value")
                .addStatement("this.value = value")
                .build();
    }

    private static MethodSpec value() {
        return MethodSpec.methodBuilder("value")
                .addModifiers(Modifier.PUBLIC)
                .addJavadoc(Javadoc.sentence("The value on the wire."))
                .returns(TypeName.INT)
                .addStatement("return value")
                .build();
    }

    private static MethodSpec of(Enumeration enumeration, ClassName self) {
        return MethodSpec.methodBuilder("of")
                .addModifiers(Modifier.PUBLIC, Modifier.STATIC)
                .addJavadoc("The constant with a value on the wire.\n\n")
                .addJavadoc("@throws IllegalArgumentException if there is none\n")
                .returns(self)
                .addParameter(TypeName.INT, "value")
                .beginControlFlow("for ($T each : values())", self)
                .beginControlFlow("if (each.value == value)")
                .addStatement("return each")
                .endControlFlow()
                .endControlFlow()
                .addStatement(
                        "throw new $T($S + value)",
                        IllegalArgumentException.class,
                        enumeration.name() + " has no value ")
                .build();
    }

    private static MethodSpec encode() {
        return Methods.encode("out").addStatement("out.writeInt(value)").build();
    }

    private static MethodSpec decode(Enumeration enumeration, ClassName self) {
        CodeBlock.Builder cases = CodeBlock.builder();
        constants(enumeration).forEach((value, constant) -> cases.add("case $L -> $L;\n", value, constant));
        return Methods.decode(self, "in")
                .addStatement("int value = in.readInt()")
                .addCode("return switch (value) {\n$>")
                .addCode(cases.build())
                .addCode("default -> throw in.malformed($S + value);\n", enumeration.name() + " has no value ")
                .addCode("$<};\n")
                .build();
    }
}
