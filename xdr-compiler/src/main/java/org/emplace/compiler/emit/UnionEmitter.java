// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.emit;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.ParameterizedTypeName;
import com.palantir.javapoet.TypeName;
import com.palantir.javapoet.TypeSpec;
import com.palantir.javapoet.TypeVariableName;
import com.palantir.javapoet.WildcardTypeName;
import java.util.List;
import java.util.function.Function;
import javax.lang.model.element.Modifier;
import org.emplace.compiler.javamodel.JavaClass;
import org.emplace.compiler.javamodel.JavaModel;
import org.emplace.compiler.javamodel.UnionArm;
import org.emplace.compiler.model.TypeDefinition.Union;

/** A {@code union}: a sealed interface with a record per arm. */
final class UnionEmitter {
    private final JavaModel model;

    UnionEmitter(JavaModel model) {
        this.model = model;
    }

    TypeSpec emit(JavaClass.Union union) {
        Union definition = union.definition();
        ClassName self = Library.generated(union.name());
        DiscriminantCode discriminant = new DiscriminantCode(union.discriminant());
        List<UnionArm> arms = union.arms();
        ArmEmitter armEmitter = new ArmEmitter(self, discriminant);
        ArmSelection selection = new ArmSelection(union, discriminant);
        TypeSpec.Builder type = TypeSpec.interfaceBuilder(self)
                .addModifiers(Modifier.PUBLIC, Modifier.SEALED)
                .addSuperinterface(Library.VALUE)
                .addJavadoc(Javadoc.of(definition.documentation(), "The union {@code " + definition.name() + "}.")
                        .declaration(Declarations.of(definition))
                        .build())
                .addMethod(discriminant(discriminant))
                .addMethod(match(arms, selection))
                .addMethod(decode(union, self, discriminant, selection));
        arms.forEach(arm -> type.addType(armEmitter.emit(arm)));
        return type.build();
    }

    private static MethodSpec discriminant(DiscriminantCode discriminant) {
        return MethodSpec.methodBuilder(discriminant.name())
                .addModifiers(Modifier.PUBLIC, Modifier.ABSTRACT)
                .addJavadoc(Javadoc.sentence("The discriminant."))
                .returns(discriminant.type())
                .build();
    }

    private MethodSpec match(List<UnionArm> arms, ArmSelection selection) {
        TypeVariableName result = typeVariable(arms);
        MethodSpec.Builder method = MethodSpec.methodBuilder("match")
                .addModifiers(Modifier.PUBLIC, Modifier.DEFAULT)
                .addJavadoc(Javadoc.sentence("Calls the function for the arm that this is."))
                .addTypeVariable(result)
                .returns(result);
        for (UnionArm arm : arms) {
            TypeName function = ParameterizedTypeName.get(
                    ClassName.get(Function.class),
                    WildcardTypeName.supertypeOf(Library.generated(arm.name())),
                    WildcardTypeName.subtypeOf(result));
            method.addParameter(function, arm.function());
        }
        return method.addCode("return $L;\n", selection.matched()).build();
    }

    /** A name that hides neither a class nor an arm. */
    private TypeVariableName typeVariable(List<UnionArm> arms) {
        String name = "T";
        while (model.isTaken(name) || isArm(name, arms)) {
            name += "_";
        }
        return TypeVariableName.get(name);
    }

    private static boolean isArm(String name, List<UnionArm> arms) {
        return arms.stream().anyMatch(arm -> arm.name().simpleName().equals(name));
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
