// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.link;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.diagnostic.Extension;
import org.emplace.compiler.model.TypeDefinition;
import org.emplace.compiler.model.XdrType;
import org.emplace.compiler.source.Span;
import org.emplace.compiler.syntax.Clause;
import org.emplace.compiler.syntax.Declaration;
import org.emplace.compiler.syntax.Definition;
import org.emplace.compiler.syntax.TypeSyntax;
import org.emplace.compiler.syntax.Value;

/** Part of pass 4: links unions. */
record UnionLinker(TypeLinker types, Values values, ClauseCollector clauses, Diagnostics diagnostics) {

    /** Why a clause in an arm that no value selects has no effect. */
    static final String LEFT_OUT = "its case is left out";

    private static final int MOST_NAMED = 8;

    TypeDefinition link(Definition.Type type, TypeSyntax.Union union) {
        String name = type.name().text();
        TypeDefinition.Field discriminant = types.member(name, union.discriminant(), new HashMap<>());
        Cases cases =
                cases(discriminant, union.discriminant(), union.defaultArm().isPresent());
        Map<String, Span> members = new HashMap<>();
        List<TypeDefinition.Arm> arms = new ArrayList<>();
        for (TypeSyntax.Arm arm : union.arms()) {
            int before = diagnostics.errorCount();
            List<TypeDefinition.CaseValue> labels = arm.cases().stream()
                    .flatMap(label -> cases.label(label).stream())
                    .toList();
            boolean isSelected = !labels.isEmpty() || cases.areUnknown || diagnostics.errorCount() > before;
            Declaration declared = isSelected ? arm.body() : withoutClauses(name, arm.body());
            Optional<TypeDefinition.Field> body = body(name, declared, members);
            if (isSelected) {
                arms.add(new TypeDefinition.Arm(
                        labels, body, arm.body().isVoid() ? arm.body().documentation() : ""));
            }
        }
        Optional<TypeDefinition.Arm> defaultArm = union.defaultArm()
                .map(arm -> new TypeDefinition.Arm(
                        List.of(), body(name, arm, members), arm.isVoid() ? arm.documentation() : ""));
        return new TypeDefinition.Union(
                name,
                discriminant,
                List.copyOf(arms),
                defaultArm,
                type.documentation(),
                type.name().span());
    }

    private Optional<TypeDefinition.Field> body(String union, Declaration arm, Map<String, Span> members) {
        if (arm.isVoid()) {
            return Optional.empty();
        }
        return Optional.of(types.member(union, arm, members));
    }

    private Declaration withoutClauses(String union, Declaration arm) {
        arm.clauses().forEach(clause -> diagnostics.report(clause.withoutEffect(LEFT_OUT)));
        clauses.leaveOut(union + "." + arm.name().text());
        return new Declaration(arm.type(), arm.shape(), arm.name(), List.of(), arm.documentation());
    }

    private Cases cases(TypeDefinition.Field discriminant, Declaration declaration, boolean hasDefault) {
        Map<BigInteger, String> names = new HashMap<>();
        XdrType type = types.behindTypedefs(discriminant.type());
        boolean isOpen = types.enumeration(type).stream()
                .anyMatch(each -> each.clauses().stream().anyMatch(Clause.Open.class::isInstance));
        long min = Integer.MIN_VALUE;
        long max = Integer.MAX_VALUE;
        if (type == XdrType.Primitive.UNSIGNED_INT) {
            min = 0;
            max = XdrType.UNBOUNDED;
        } else if (type == XdrType.Primitive.BOOL) {
            names.put(BigInteger.ZERO, "FALSE");
            names.put(BigInteger.ONE, "TRUE");
        } else if (type != XdrType.Primitive.INT && !enumerators(type, names) && !TypeLinker.isInError(type)) {
            diagnostics.report(Diagnostic.error(
                    "E207",
                    declaration.name().span(),
                    "the discriminant `" + discriminant.name() + "` must be an int, unsigned int, bool or enum"));
        }
        return new Cases(names, min, max, hasDefault && !isOpen, TypeLinker.isInError(type), new HashMap<>());
    }

    private boolean enumerators(XdrType type, Map<BigInteger, String> names) {
        Optional<Definition.Type> found = types.enumeration(type);
        found.ifPresent(enumeration -> ((TypeSyntax.Enumeration) enumeration.body())
                .enumerators()
                .forEach(enumerator -> values.number(enumerator.name().text())
                        .ifPresent(number ->
                                names.putIfAbsent(number, enumerator.name().text()))));
        return found.isPresent();
    }

    /** The permitted labels of a union, and those that have occurred. */
    private final class Cases {

        /** The permitted values, if all must have names; else empty. */
        private final Map<BigInteger, String> names;

        private final long min;
        private final long max;

        /** Whether a case that no value selects may be left out: every value that can occur has an arm without it. */
        private final boolean mayLeaveOut;

        /** Whether the discriminant's type is in error, so that its values are not known. */
        private final boolean areUnknown;

        private final Map<BigInteger, Span> seen;

        private Cases(
                Map<BigInteger, String> names,
                long min,
                long max,
                boolean mayLeaveOut,
                boolean areUnknown,
                Map<BigInteger, Span> seen) {
            this.names = names;
            this.min = min;
            this.max = max;
            this.mayLeaveOut = mayLeaveOut;
            this.areUnknown = areUnknown;
            this.seen = seen;
        }

        Optional<TypeDefinition.CaseValue> label(Value label) {
            boolean isReported = areUnknown
                    || (label instanceof Value.Named
                            && names.containsValue(label.text())
                            && values.number(label.text())
                                    .filter(number -> number.bitLength() > Integer.SIZE - 1)
                                    .isPresent());
            if (isReported) {
                return Optional.empty();
            }
            Optional<BigInteger> number = values.within(label, min, max, "the case");
            if (number.isEmpty() || values.isRepeated(label.text())) {
                return Optional.empty();
            }
            String name = names.isEmpty() ? label.text() : names.get(number.get());
            if (name == null && mayLeaveOut) {
                diagnostics.report(Extension.CASE_WITHOUT_VALUE
                        .at(
                                label.span(),
                                "`" + label.text() + "` is not a value of the discriminant; the case is left out")
                        .hint("its values are " + listed(names)));
                return Optional.empty();
            }
            if (name == null) {
                diagnostics.report(Diagnostic.error(
                                "E208", label.span(), "`" + label.text() + "` is not a value of the discriminant")
                        .hint("its values are " + listed(names)));
                return Optional.empty();
            }
            Span first = seen.putIfAbsent(number.get(), label.span());
            if (first != null) {
                diagnostics.report(Diagnostic.error("E209", label.span(), "the case `" + name + "` is given twice")
                        .note(first, "first given here"));
            }
            return Optional.of(new TypeDefinition.CaseValue(name, number.get().longValue()));
        }

        private static String listed(Map<BigInteger, String> names) {
            String first = names.entrySet().stream()
                    .sorted(Map.Entry.comparingByKey())
                    .limit(MOST_NAMED)
                    .map(each -> "`" + each.getValue() + "`")
                    .collect(Collectors.joining(", "));
            return names.size() > MOST_NAMED ? first + " and " + (names.size() - MOST_NAMED) + " more" : first;
        }
    }
}
