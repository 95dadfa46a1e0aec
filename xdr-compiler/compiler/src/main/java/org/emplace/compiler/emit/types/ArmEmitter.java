// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.emit.types;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.TypeSpec;
import com.palantir.javapoet.TypeVariableName;
import java.util.List;
import java.util.Set;
import javax.lang.model.element.Modifier;
import org.emplace.compiler.emit.code.Javadoc;
import org.emplace.compiler.emit.code.Layout;
import org.emplace.compiler.emit.code.Library;
import org.emplace.compiler.javamodel.Component;
import org.emplace.compiler.javamodel.JavaClass;
import org.emplace.compiler.javamodel.UnionArm;

/** The record of one arm of a union. */
final class ArmEmitter {
    /** For more values than this, a switch is easier to read than comparisons. */
    private static final int MOST_COMPARISONS = 4;

    private final JavaClass.Union union;
    private final ClassName name;
    private final DiscriminantCode discriminant;
    private final TypeVariableName result;

    /** @param result what a visitor returns */
    ArmEmitter(JavaClass.Union union, DiscriminantCode discriminant, TypeVariableName result) {
        this.union = union;
        this.name = Library.generated(union.name());
        this.discriminant = discriminant;
        this.result = result;
    }

    TypeSpec emit(UnionArm arm) {
        List<Component> components = arm.components(discriminant.discriminant());
        TypeSpec.Builder type = Records.builder(Library.generated(arm.name()), components, Set.of(), check(arm))
                .addModifiers(Modifier.PUBLIC, Modifier.STATIC)
                .addSuperinterface(name)
                .addJavadoc(documentation(arm));
        if (!arm.keepsDiscriminant()) {
            type.addMethod(constantDiscriminant(arm));
        }
        return type.addMethod(accept(arm)).addMethod(encode(arm)).build();
    }

    private MethodSpec accept(UnionArm arm) {
        return MethodSpec.methodBuilder("accept")
                .addAnnotation(Override.class)
                .addModifiers(Modifier.PUBLIC)
                .addTypeVariable(result)
                .returns(result)
                .addParameter(UnionEmitter.visitor(name, result), "visitor")
                .addStatement("return visitor.$L(this)", arm.method())
                .build();
    }

    private CodeBlock documentation(UnionArm arm) {
        Javadoc javadoc = Javadoc.with(arm.documentation(), "The arm for " + UnionEmitter.selectors(arm) + ".");
        return CodeBlock.join(
                List.of(javadoc.build(), Records.parameters(arm.value().stream().toList())), "");
    }

    private CodeBlock check(UnionArm arm) {
        if (!arm.keepsDiscriminant()
                || discriminant.discriminant().isBoolean()
                || arm.cases().isEmpty()) {
            return CodeBlock.of("");
        }
        CodeBlock refusal = CodeBlock.builder()
                .addStatement(
                        "throw new $T($S + $L + $S)",
                        IllegalArgumentException.class,
                        discriminant.name() + " ",
                        discriminant.name(),
                        " selects another arm")
                .build();
        return arm.values().size() > MOST_COMPARISONS ? bySwitch(arm, refusal) : byComparisons(arm, refusal);
    }

    private CodeBlock byComparisons(UnionArm arm, CodeBlock refusal) {
        String comparison = arm.isDefault() ? "$L == $L" : "$L != $L";
        List<CodeBlock> comparisons = arm.values().stream()
                .map(value -> CodeBlock.of(comparison, discriminant.name(), discriminant.value(value)))
                .toList();
        return CodeBlock.builder()
                .beginControlFlow("if ($L)", Layout.operands(comparisons, arm.isDefault() ? "||" : "&&"))
                .add(refusal)
                .endControlFlow()
                .build();
    }

    private CodeBlock bySwitch(UnionArm arm, CodeBlock refusal) {
        CodeBlock labels =
                Layout.labels(arm.values().stream().map(discriminant::label).toList());
        CodeBlock.Builder code = CodeBlock.builder()
                .beginControlFlow("switch ($L)", discriminant.selector(CodeBlock.of("$L", discriminant.name())));
        if (arm.isDefault()) {
            code.beginControlFlow("case $L ->", labels)
                    .add(refusal)
                    .endControlFlow()
                    .add("default -> {}\n");
        } else {
            code.add("case $L -> {}\n", labels).add("default -> $L", refusal);
        }
        return code.endControlFlow().build();
    }

    private MethodSpec constantDiscriminant(UnionArm arm) {
        return MethodSpec.methodBuilder(discriminant.name())
                .addAnnotation(Override.class)
                .addModifiers(Modifier.PUBLIC)
                .returns(discriminant.type())
                .addStatement("return $L", value(arm))
                .build();
    }

    /** The only value that selects an arm. */
    private CodeBlock value(UnionArm arm) {
        long value = arm.cases().get(0).value();
        return discriminant.value(arm.isDefault() ? 1 - value : value);
    }

    private MethodSpec encode(UnionArm arm) {
        List<Component> components = arm.components(discriminant.discriminant());
        if (arm.keepsDiscriminant()) {
            return Methods.encodeAll(components, CodeBlock.of(""), union.isRecursive());
        }
        String out =
                Methods.unused("out", components.stream().map(Component::name).toList());
        CodeBlock first = CodeBlock.builder()
                .addStatement(discriminant.mapping().encode(out, value(arm), 0))
                .build();
        return Methods.encodeAll(components, first, union.isRecursive());
    }
}
