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
import org.emplace.compiler.javamodel.JavaClass.OpenEnumeration;
import org.emplace.compiler.model.TypeDefinition.Enumerator;

/**
 * Writes an {@code enum} that may have values without a name: a sealed interface, implemented by an enum and a record.
 *
 * <p>The interface's constants refer to the enum. Nothing that the enum needs for its initialization may refer to the interface, because one of the
 * two would see the other's constants as null. Initializing a class initializes an interface only if that has default methods (JLS section 12.4.1),
 * so the interface has none.
 */
public final class OpenEnumEmitter {
    private final OpenEnumeration enumeration;
    private final ClassName self;
    private final ClassName known;
    private final ClassName unknown;

    private OpenEnumEmitter(OpenEnumeration enumeration) {
        this.enumeration = enumeration;
        this.self = Library.generated(enumeration.name());
        this.known = Library.generated(enumeration.known());
        this.unknown = Library.generated(enumeration.unknown());
    }

    public static TypeSpec.Builder emit(OpenEnumeration enumeration) {
        return new OpenEnumEmitter(enumeration).emit();
    }

    private TypeSpec.Builder emit() {
        TypeSpec.Builder type = TypeSpec.interfaceBuilder(self)
                .addModifiers(Modifier.PUBLIC, Modifier.SEALED)
                .addSuperinterface(Library.VALUE)
                .addJavadoc(Javadoc.of(enumeration.definition(), "enum")
                        .paragraph("Peers may send values that this definition does not name; each is an {@link "
                                + unknown.simpleName() + "}.")
                        .build());
        enumeration.definition().enumerators().forEach(each -> type.addField(constant(each)));
        enumeration.aliases().forEach((alias, each) -> type.addField(alias(alias, each)));
        return type.addMethod(value())
                .addMethod(of())
                .addMethod(Methods.decode(self, "in")
                        .addStatement("return of(in.readInt())")
                        .build())
                .addMethod(find())
                .addType(known())
                .addType(unknown());
    }

    private FieldSpec constant(Enumerator enumerator) {
        String name = constantOf(enumerator);
        return field(name, name)
                .addJavadoc(EnumEmitter.documentation(enumerator))
                .build();
    }

    private FieldSpec alias(String name, Enumerator alias) {
        String first = constantOf(alias);
        return field(name, first)
                .addJavadoc(Javadoc.of(alias.documentation(), "An alias of {@link #" + first + "}.")
                        .build())
                .build();
    }

    private FieldSpec.Builder field(String name, String constant) {
        return FieldSpec.builder(self, name, Modifier.PUBLIC, Modifier.STATIC, Modifier.FINAL)
                .initializer("$T.$L", known, constant);
    }

    private String constantOf(Enumerator enumerator) {
        return Objects.requireNonNull(enumeration.constants().get(enumerator.value()));
    }

    private static MethodSpec value() {
        return Methods.described("value", "The value on the wire.", TypeName.INT, Modifier.ABSTRACT)
                .build();
    }

    private MethodSpec of() {
        return Methods.described(
                        "of",
                        "The constant that has this value on the wire; if there is none, an {@link "
                                + unknown.simpleName() + "} of the value.",
                        self,
                        Modifier.STATIC)
                .addParameter(TypeName.INT, "value")
                .addStatement("$T known = known(value)", known)
                .addStatement("return known == null ? new $T(value) : known", unknown)
                .build();
    }

    private MethodSpec find() {
        CodeBlock.Builder cases = CodeBlock.builder();
        enumeration.constants().forEach((value, constant) -> cases.add("case $L -> $T.$L;\n", value, known, constant));
        return MethodSpec.methodBuilder("known")
                .addAnnotation(Library.NULLABLE)
                .addModifiers(Modifier.PRIVATE, Modifier.STATIC)
                .returns(known)
                .addParameter(TypeName.INT, "value")
                .addCode("return switch (value) {\n$>")
                .addCode(cases.build())
                .addCode("default -> null;\n")
                .addCode("$<};\n")
                .build();
    }

    private TypeSpec known() {
        TypeSpec.Builder type = TypeSpec.enumBuilder(known)
                .addModifiers(Modifier.PUBLIC, Modifier.STATIC)
                .addSuperinterface(self)
                .addJavadoc(Javadoc.sentence("The values that the definition names."));
        enumeration
                .definition()
                .enumerators()
                .forEach(each -> type.addEnumConstant(
                        constantOf(each),
                        TypeSpec.anonymousClassBuilder("$L", each.value()).build()));
        return type.addField(TypeName.INT, "value", Modifier.PRIVATE, Modifier.FINAL)
                .addMethod(EnumEmitter.constructor())
                .addMethod(MethodSpec.methodBuilder("value")
                        .addAnnotation(Override.class)
                        .addModifiers(Modifier.PUBLIC)
                        .returns(TypeName.INT)
                        .addStatement("return value")
                        .build())
                .addMethod(EnumEmitter.encode())
                .build();
    }

    private TypeSpec unknown() {
        String name = enumeration.definition().name();
        MethodSpec constructor = MethodSpec.compactConstructorBuilder()
                .addModifiers(Modifier.PUBLIC)
                .addJavadoc("Rejects a value that the definition names: its constant represents it.\n\n")
                .addJavadoc("@throws IllegalArgumentException if the definition names the value\n")
                .addParameter(TypeName.INT, "value")
                .beginControlFlow("if (known(value) != null)")
                .addStatement(
                        "throw new $T($S + value + $S + of(value))", IllegalArgumentException.class, name + " ", " is ")
                .endControlFlow()
                .build();
        return TypeSpec.recordBuilder(unknown)
                .addModifiers(Modifier.PUBLIC, Modifier.STATIC)
                .addSuperinterface(self)
                .addJavadoc("A value that the definition does not name.\n\n@param value the value on the wire\n")
                .recordConstructor(constructor)
                .addMethod(EnumEmitter.encode())
                .build();
    }
}
