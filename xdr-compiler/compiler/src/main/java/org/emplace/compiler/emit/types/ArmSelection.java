// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.emit.types;

import com.palantir.javapoet.CodeBlock;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.emplace.compiler.emit.code.Layout;
import org.emplace.compiler.emit.code.Library;
import org.emplace.compiler.emit.mappings.Mapping;
import org.emplace.compiler.javamodel.JavaClass;
import org.emplace.compiler.javamodel.UnionArm;

/** The expressions by which a union's discriminant selects an arm. */
final class ArmSelection {
    private final JavaClass.Union union;
    private final DiscriminantCode discriminant;
    private final List<UnionArm> arms;

    ArmSelection(JavaClass.Union union, DiscriminantCode discriminant) {
        this.union = union;
        this.discriminant = discriminant;
        this.arms = union.arms();
    }

    /** Decodes the arm that the discriminant selects. A variable with the discriminant's name holds it. */
    CodeBlock decoded() {
        CodeBlock value = CodeBlock.of("$L", discriminant.name());
        if (union.discriminant().isBoolean()) {
            return byFlag(value, this::decoded);
        }
        if (discriminant.discriminant().isOpen() && isOneOrDefault()) {
            UnionArm arm = arms.get(0);
            CodeBlock isSelected = CodeBlock.of(
                    "$L == $L", value, discriminant.value(arm.values().get(0)));
            return Layout.choice(isSelected, decoded(arm), decoded(arms.get(1)));
        }
        List<CodeBlock> cases = new ArrayList<>();
        arms.forEach(arm -> cases.add(CodeBlock.of("$L -> $L;\n", discriminant.label(arm), decoded(arm))));
        if (!isExhaustive()) {
            cases.add(CodeBlock.of("default -> throw $L;\n", noArm()));
        }
        return byValue(value, cases);
    }

    /** Statements that reject a flag for which a union on {@code bool} has no arm. */
    CodeBlock refusedFlag() {
        CodeBlock.Builder code = CodeBlock.builder();
        for (long flag : new long[] {0, 1}) {
            if (union.discriminant().isBoolean() && arms.stream().noneMatch(arm -> arm.isSelectedByFlag(flag))) {
                code.beginControlFlow("if ($L$L)", flag == 0 ? "!" : "", discriminant.name())
                        .addStatement("throw $L", noArm())
                        .endControlFlow();
            }
        }
        return code.build();
    }

    private CodeBlock byValue(CodeBlock value, List<CodeBlock> cases) {
        return CodeBlock.of("switch ($L) {\n$>$L$<}", discriminant.selector(value), CodeBlock.join(cases, ""));
    }

    private CodeBlock byFlag(CodeBlock value, Function<UnionArm, CodeBlock> result) {
        List<CodeBlock> results = List.of(1L, 0L).stream()
                .flatMap(flag -> arms.stream().filter(arm -> arm.isSelectedByFlag(flag)))
                .distinct()
                .map(result)
                .toList();
        return results.size() == 1 ? results.get(0) : Layout.choice(value, results.get(0), results.get(1));
    }

    /** Whether one comparison tells the arms apart. A switch over an open enum uses numbers instead of names. */
    private boolean isOneOrDefault() {
        return arms.size() == 2
                && arms.get(0).values().size() == 1
                && !arms.get(0).isDefault()
                && arms.get(1).isDefault();
    }

    private boolean isExhaustive() {
        long distinct = arms.stream().mapToLong(arm -> arm.values().size()).sum();
        return arms.stream().anyMatch(UnionArm::isDefault)
                || union.discriminant().isExhaustedBy(distinct);
    }

    private CodeBlock decoded(UnionArm arm) {
        List<CodeBlock> values = arm.components(union.discriminant()).stream()
                .map(each -> each.equals(union.discriminant().component())
                        ? CodeBlock.of("$L", each.name())
                        : Mapping.of(each.type()).decode("in", 0))
                .toList();
        return CodeBlock.of("new $T($L)", Library.generated(arm.name()), CodeBlock.join(values, ", "));
    }

    private CodeBlock noArm() {
        return CodeBlock.of(
                "in.malformed($S + $L)", union.definition().name() + " has no arm for ", discriminant.name());
    }
}
