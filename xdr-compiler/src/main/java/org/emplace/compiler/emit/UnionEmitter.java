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
import org.emplace.compiler.model.TypeDefinition.Union;

/** A {@code union}: a sealed interface with a record per arm. */
final class UnionEmitter {
    private final Names names;
    private final Shapes shapes;
    private final Mappings mappings;

    UnionEmitter(Names names, Shapes shapes, Mappings mappings) {
        this.names = names;
        this.shapes = shapes;
        this.mappings = mappings;
    }

    TypeSpec emit(Union union) {
        ClassName self = names.type(union.name());
        Discriminant discriminant = mappings.discriminant(union);
        List<UnionArm> arms = mappings.arms(union);
        ArmEmitter armEmitter = new ArmEmitter(self, discriminant);
        ArmSelection selection = new ArmSelection(union, discriminant, arms);
        TypeSpec.Builder type = TypeSpec.interfaceBuilder(self)
                .addModifiers(Modifier.PUBLIC, Modifier.SEALED)
                .addSuperinterface(Library.VALUE)
                .addJavadoc(Javadoc.of(union.documentation(), "The union {@code " + union.name() + "}.")
                        .declaration(Declarations.of(union))
                        .build())
                .addMethod(discriminant(discriminant))
                .addMethod(match(arms, selection))
                .addMethod(decode(union, self, discriminant, selection));
        arms.forEach(arm -> type.addType(armEmitter.emit(arm)));
        return type.build();
    }

    private static MethodSpec discriminant(Discriminant discriminant) {
        return MethodSpec.methodBuilder(discriminant.name())
                .addModifiers(Modifier.PUBLIC, Modifier.ABSTRACT)
                .addJavadoc(Javadoc.sentence("The discriminant."))
                .returns(discriminant.component().mapping().type())
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
                    WildcardTypeName.supertypeOf(arm.type()),
                    WildcardTypeName.subtypeOf(result));
            method.addParameter(function, arm.function());
        }
        return method.addCode("return $L;\n", selection.matched()).build();
    }

    /** A name that hides neither a class nor an arm. */
    private TypeVariableName typeVariable(List<UnionArm> arms) {
        String name = "T";
        while (names.isTaken(name) || isArm(name, arms)) {
            name += "_";
        }
        return TypeVariableName.get(name);
    }

    private static boolean isArm(String name, List<UnionArm> arms) {
        return arms.stream().anyMatch(arm -> arm.type().simpleName().equals(name));
    }

    private MethodSpec decode(Union union, ClassName self, Discriminant discriminant, ArmSelection selection) {
        boolean isRecursive = shapes.isRecursive(union.name());
        MethodSpec.Builder method = Methods.decode(self, "in");
        if (isRecursive) {
            method.addStatement("in.enter()");
        }
        method.addStatement(
                "$T $L = $L",
                discriminant.component().mapping().type(),
                discriminant.name(),
                discriminant.component().mapping().decode("in", 0));
        method.addCode(selection.refusedFlag());
        if (!isRecursive) {
            return method.addCode("return $L;\n", selection.decoded()).build();
        }
        String value = NameScope.ofMembers("in", discriminant.name()).claim("value");
        return method.addCode("$T $L = $L;\n", self, value, selection.decoded())
                .addStatement("in.leave()")
                .addStatement("return $L", value)
                .build();
    }
}
