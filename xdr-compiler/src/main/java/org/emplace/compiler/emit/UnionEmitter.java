// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.emit;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
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
        MethodSpec match = match(arms);
        TypeSpec.Builder type = TypeSpec.interfaceBuilder(self)
                .addModifiers(Modifier.PUBLIC, Modifier.SEALED)
                .addSuperinterface(Library.VALUE)
                .addJavadoc(Javadoc.of(union.documentation(), "The union {@code " + union.name() + "}.")
                        .declaration(Declarations.of(union))
                        .build())
                .addMethod(discriminant(discriminant))
                .addMethod(match)
                .addMethod(decode(union, self, discriminant, arms));
        arms.forEach(arm -> type.addType(armEmitter.emit(arm, match)));
        return type.build();
    }

    private static MethodSpec discriminant(Discriminant discriminant) {
        return MethodSpec.methodBuilder(discriminant.name())
                .addModifiers(Modifier.PUBLIC, Modifier.ABSTRACT)
                .addJavadoc(Javadoc.sentence("The discriminant."))
                .returns(discriminant.component().mapping().type())
                .build();
    }

    private MethodSpec match(List<UnionArm> arms) {
        TypeVariableName result = typeVariable(arms);
        MethodSpec.Builder method = MethodSpec.methodBuilder("match")
                .addModifiers(Modifier.PUBLIC, Modifier.ABSTRACT)
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
        return method.build();
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

    private MethodSpec decode(Union union, ClassName self, Discriminant discriminant, List<UnionArm> arms) {
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
        CodeBlock selected;
        if (discriminant.isBoolean()) {
            method.addCode(refusedFlag(union, discriminant, arms));
            selected = selectedByFlag(discriminant, arms);
        } else {
            selected = selectedBySwitch(union, discriminant, arms);
        }
        if (!isRecursive) {
            return method.addCode("return $L;\n", selected).build();
        }
        String value = NameScope.ofMembers("in", discriminant.name()).claim("value");
        return method.addCode("$T $L = $L;\n", self, value, selected)
                .addStatement("in.leave()")
                .addStatement("return $L", value)
                .build();
    }

    private static CodeBlock selectedBySwitch(Union union, Discriminant discriminant, List<UnionArm> arms) {
        CodeBlock.Builder code = CodeBlock.builder().add("switch ($L) {\n$>", discriminant.selector());
        long distinct = 0;
        boolean hasDefault = false;
        for (UnionArm arm : arms) {
            List<Long> values =
                    arm.cases().stream().map(each -> each.value()).distinct().toList();
            hasDefault |= arm.isDefault();
            distinct += values.size();
            CodeBlock labels = arm.isDefault()
                    ? CodeBlock.of("default")
                    : values.stream().map(discriminant::label).collect(CodeBlock.joining(", ", "case ", ""));
            code.add("$L -> $L;\n", labels, made(arm, discriminant));
        }
        if (!hasDefault && !discriminant.isExhaustedBy(distinct)) {
            code.add("default -> throw $L;\n", noArm(union, discriminant));
        }
        return code.add("$<}").build();
    }

    private static CodeBlock selectedByFlag(Discriminant discriminant, List<UnionArm> arms) {
        List<CodeBlock> made = List.of(1L, 0L).stream()
                .flatMap(flag -> arms.stream().filter(arm -> arm.isSelectedByFlag(flag)))
                .distinct()
                .map(arm -> made(arm, discriminant))
                .toList();
        return made.size() == 1
                ? made.get(0)
                : CodeBlock.of("$L ? $L : $L", discriminant.name(), made.get(0), made.get(1));
    }

    /** A union on bool may lack an arm. */
    private static CodeBlock refusedFlag(Union union, Discriminant discriminant, List<UnionArm> arms) {
        CodeBlock.Builder code = CodeBlock.builder();
        for (long flag : new long[] {0, 1}) {
            if (arms.stream().noneMatch(arm -> arm.isSelectedByFlag(flag))) {
                code.beginControlFlow("if ($L$L)", flag == 0 ? "!" : "", discriminant.name())
                        .addStatement("throw $L", noArm(union, discriminant))
                        .endControlFlow();
            }
        }
        return code.build();
    }

    private static CodeBlock made(UnionArm arm, Discriminant discriminant) {
        List<CodeBlock> values = arm.components(discriminant).stream()
                .map(each -> each.equals(discriminant.component())
                        ? CodeBlock.of("$L", each.name())
                        : each.mapping().decode("in", 0))
                .toList();
        return CodeBlock.of("new $T($L)", arm.type(), CodeBlock.join(values, ", "));
    }

    private static CodeBlock noArm(Union union, Discriminant discriminant) {
        return CodeBlock.of("in.malformed($S + $L)", union.name() + " has no arm for ", discriminant.name());
    }
}
