// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.emit.types;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.ParameterizedTypeName;
import com.palantir.javapoet.TypeName;
import com.palantir.javapoet.TypeSpec;
import com.palantir.javapoet.TypeVariableName;
import java.util.List;
import javax.lang.model.element.Modifier;
import org.emplace.compiler.emit.code.Declarations;
import org.emplace.compiler.emit.code.Javadoc;
import org.emplace.compiler.emit.code.Library;
import org.emplace.compiler.javamodel.JavaClass;
import org.emplace.compiler.javamodel.UnionArm;
import org.emplace.compiler.model.TypeDefinition.Union;

/** A {@code union}: a sealed interface with a record per arm. */
public final class UnionEmitter {
    private static final TypeVariableName RESULT = TypeVariableName.get("R");

    private UnionEmitter() {}

    public static TypeSpec.Builder emit(JavaClass.Union union) {
        Union definition = union.definition();
        ClassName self = Library.generated(union.name());
        DiscriminantCode discriminant = new DiscriminantCode(union.discriminant());
        List<UnionArm> arms = union.arms();
        ArmEmitter armEmitter = new ArmEmitter(union, discriminant, RESULT);
        ArmSelection selection = new ArmSelection(union, discriminant);
        TypeSpec.Builder type = TypeSpec.interfaceBuilder(self)
                .addModifiers(Modifier.PUBLIC, Modifier.SEALED)
                .addSuperinterface(Library.VALUE)
                .addJavadoc(Javadoc.of(definition, "union")
                        .declaration(Declarations.of(definition))
                        .build())
                .addMethod(discriminant(discriminant))
                .addMethod(accept(self, RESULT))
                .addMethod(decode(union, self, discriminant, selection));
        type.addType(visitor(self, arms, RESULT));
        arms.forEach(arm -> type.addType(armEmitter.emit(arm)));
        return type;
    }

    private static MethodSpec discriminant(DiscriminantCode discriminant) {
        return Methods.described(discriminant.name(), "The discriminant.", discriminant.type(), Modifier.ABSTRACT)
                .build();
    }

    private static MethodSpec accept(ClassName self, TypeVariableName result) {
        return MethodSpec.methodBuilder("accept")
                .addModifiers(Modifier.PUBLIC, Modifier.ABSTRACT)
                .addJavadoc(Javadoc.sentence("Calls the visitor's method for this arm."))
                .addTypeVariable(result)
                .returns(result)
                .addParameter(visitor(self, result), "visitor")
                .build();
    }

    static TypeName visitor(ClassName self, TypeVariableName result) {
        return ParameterizedTypeName.get(self.nestedClass(UnionArm.VISITOR), result);
    }

    /** The visitor. A new arm breaks no visitor: arms without a method of their own go to the method for all others. */
    private static TypeSpec visitor(ClassName self, List<UnionArm> arms, TypeVariableName result) {
        TypeSpec.Builder type = TypeSpec.interfaceBuilder(UnionArm.VISITOR)
                .addModifiers(Modifier.PUBLIC, Modifier.STATIC)
                .addTypeVariable(result)
                .addJavadoc("A method for each arm.\n\n@param <$T> what the methods return\n", result)
                .addMethod(Methods.described(
                                UnionArm.OTHERWISE,
                                "Called for each arm whose method is not overridden.",
                                result,
                                Modifier.ABSTRACT)
                        .addParameter(self, "value")
                        .build());
        for (UnionArm arm : arms) {
            type.addMethod(
                    Methods.described(arm.method(), "Called for " + selectors(arm) + ".", result, Modifier.DEFAULT)
                            .addParameter(Library.generated(arm.name()), "value")
                            .addStatement("return $L(value)", UnionArm.OTHERWISE)
                            .build());
        }
        return type.build();
    }

    /** The values of the discriminant that select an arm, for Javadoc. */
    static String selectors(UnionArm arm) {
        return arm.isDefault() ? "any other discriminant" : Declarations.labels(arm.cases());
    }

    private static MethodSpec decode(
            JavaClass.Union union, ClassName self, DiscriminantCode discriminant, ArmSelection selection) {
        MethodSpec.Builder method = Methods.decode(self, "in");
        if (union.isRecursive()) {
            method.addStatement("in.enter()");
        }
        method.addStatement(
                "$T $L = $L",
                discriminant.type(),
                discriminant.name(),
                discriminant.mapping().decode("in", 0));
        method.addCode(selection.refusedFlag());
        if (!union.isRecursive()) {
            return method.addCode("return $L;\n", selection.decoded()).build();
        }
        String value = Methods.unused("value", List.of("in", discriminant.name()));
        return method.addCode("$T $L = $L;\n", self, value, selection.decoded())
                .addStatement("in.leave()")
                .addStatement("return $L", value)
                .build();
    }
}
