// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.emit.types;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.FieldSpec;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.TypeName;
import com.palantir.javapoet.TypeSpec;
import java.util.Objects;
import javax.lang.model.element.Modifier;
import org.emplace.compiler.emit.code.Javadoc;
import org.emplace.compiler.emit.code.Library;
import org.emplace.compiler.javamodel.JavaClass.Enumeration;
import org.emplace.compiler.model.TypeDefinition.Enumerator;
import org.emplace.compiler.model.TypeDefinition;

/** Writes an {@code enum}. */
public final class EnumEmitter {
    private EnumEmitter() {}

    public static TypeSpec.Builder emit(Enumeration enumeration) {
        TypeDefinition.Enumeration definition = enumeration.definition();
        ClassName self = Library.generated(enumeration.name());
        TypeSpec.Builder type = TypeSpec.enumBuilder(self)
                .addModifiers(Modifier.PUBLIC)
                .addSuperinterface(Library.VALUE)
                .addJavadoc(Javadoc.of(definition, "enum").build());
        definition
                .enumerators()
                .forEach(each -> type.addEnumConstant(
                        Objects.requireNonNull(enumeration.constants().get(each.value())), constant(each)));
        enumeration.aliases().forEach((name, alias) -> type.addField(alias(enumeration, self, name, alias)));
        return type.addField(TypeName.INT, "value", Modifier.PRIVATE, Modifier.FINAL)
                .addMethod(constructor())
                .addMethod(value())
                .addMethod(of(enumeration, self))
                .addMethod(encode())
                .addMethod(Methods.decode(self, "in")
                        // Not $T::of, because a constant may have the name of the class.
                        .addStatement("return in.readEnum(number -> of(number))")
                        .build());
    }

    private static FieldSpec alias(Enumeration enumeration, ClassName self, String name, Enumerator alias) {
        String first = Objects.requireNonNull(enumeration.constants().get(alias.value()));
        return FieldSpec.builder(self, name, Modifier.PUBLIC, Modifier.STATIC, Modifier.FINAL)
                .addJavadoc(Javadoc.of(alias.documentation(), "An alias of {@link #" + first + "}.")
                        .build())
                .initializer("$L", first)
                .build();
    }

    private static TypeSpec constant(Enumerator enumerator) {
        return TypeSpec.anonymousClassBuilder("$L", enumerator.value())
                .addJavadoc(documentation(enumerator))
                .build();
    }

    static CodeBlock documentation(Enumerator enumerator) {
        String sentence = "The value {@code " + enumerator.name() + "}, " + enumerator.value() + ".";
        return Javadoc.of(enumerator.documentation(), sentence).build();
    }

    static MethodSpec constructor() {
        return MethodSpec.constructorBuilder()
                .addParameter(TypeName.INT, "value")
                .addStatement("this.value = value")
                .build();
    }

    private static MethodSpec value() {
        return Methods.described("value", "The value on the wire.", TypeName.INT)
                .addStatement("return value")
                .build();
    }

    private static MethodSpec of(Enumeration enumeration, ClassName self) {
        CodeBlock.Builder cases = CodeBlock.builder();
        enumeration.constants().forEach((value, constant) -> cases.add("case $L -> $L;\n", value, constant));
        return MethodSpec.methodBuilder("of")
                .addModifiers(Modifier.PUBLIC, Modifier.STATIC)
                .addJavadoc("The constant that has this value on the wire.\n\n")
                .addJavadoc("@throws IllegalArgumentException if no constant has this value\n")
                .returns(self)
                .addParameter(TypeName.INT, "value")
                .addCode("return switch (value) {\n$>")
                .addCode(cases.build())
                .addCode(
                        "default -> throw new $T($S + value);\n",
                        IllegalArgumentException.class,
                        enumeration.definition().name() + " has no value ")
                .addCode("$<};\n")
                .build();
    }

    static MethodSpec encode() {
        return Methods.encode("out").addStatement("out.writeInt(value)").build();
    }
}
