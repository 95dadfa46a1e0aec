// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.emit;

import com.palantir.javapoet.ClassName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.emplace.compiler.model.TypeDefinition.Arm;
import org.emplace.compiler.model.TypeDefinition.CaseValue;
import org.emplace.compiler.model.TypeDefinition.Field;
import org.emplace.compiler.model.TypeDefinition.Union;

/**
 * One arm of a union as a record.
 *
 * @param type the record
 * @param function the parameter of {@code match} that takes it
 * @param value its member, if the arm is not void
 * @param cases the values that select it; for the default arm, those that do not
 * @param keepsDiscriminant whether several values select it, so that the record has to say which
 */
record UnionArm(
        ClassName type,
        String function,
        Optional<Component> value,
        List<CaseValue> cases,
        boolean isDefault,
        boolean keepsDiscriminant,
        String documentation) {

    static List<UnionArm> of(Union union, Discriminant discriminant, Mappings mappings, Names names) {
        return new Builder(union, discriminant, mappings, names).build();
    }

    /** The components of the record. */
    List<Component> components(Discriminant discriminant) {
        Stream<Component> first = keepsDiscriminant ? Stream.of(discriminant.component()) : Stream.empty();
        return Stream.concat(first, value.stream()).toList();
    }

    /** Whether a value of a {@code bool} discriminant selects it. */
    boolean isSelectedByFlag(long flag) {
        boolean isListed = cases.stream().anyMatch(each -> each.value() == flag);
        return isDefault != isListed;
    }

    /** Names the arms of one union. */
    private static final class Builder {
        private final Union union;
        private final Discriminant discriminant;
        private final Mappings mappings;
        private final Names names;
        private final NameScope functions = NameScope.ofMembers();
        private final NameScope types = NameScope.ofClasses();

        Builder(Union union, Discriminant discriminant, Mappings mappings, Names names) {
            this.union = union;
            this.discriminant = discriminant;
            this.mappings = mappings;
            this.names = names;
        }

        List<UnionArm> build() {
            List<UnionArm> arms = new ArrayList<>();
            List<CaseValue> all =
                    union.arms().stream().flatMap(arm -> arm.cases().stream()).toList();
            for (Arm arm : union.arms()) {
                String proposed = arm.field()
                        .map(this::named)
                        .orElseGet(() -> named(arm.cases().get(0)));
                arms.add(arm(proposed, arm.field(), arm.cases(), false, arm.documentation()));
            }
            union.defaultArm().filter(arm -> !coversEverything(all)).ifPresent(arm -> {
                String proposed = arm.field().map(this::named).orElse("Otherwise");
                arms.add(arm(proposed, arm.field(), all, true, arm.documentation()));
            });
            return arms;
        }

        private boolean coversEverything(List<CaseValue> cases) {
            long distinct =
                    cases.stream().mapToLong(CaseValue::value).distinct().count();
            return discriminant.isBoolean() ? distinct == 2 : discriminant.isExhaustedBy(distinct);
        }

        private UnionArm arm(
                String proposed,
                Optional<Field> field,
                List<CaseValue> cases,
                boolean isDefault,
                String documentation) {
            String type = types.claim(names.isTaken(proposed) ? proposed + "Arm" : proposed);
            // The default arm of a union on bool has one value left.
            boolean keepsDiscriminant = isDefault ? !discriminant.isBoolean() : cases.size() > 1;
            return new UnionArm(
                    names.type(union.name()).nestedClass(type),
                    functions.claim(NameWords.camel(type)),
                    field.map(this::component),
                    cases,
                    isDefault,
                    keepsDiscriminant,
                    documentation);
        }

        private Component component(Field field) {
            String name = NameScope.ofComponents(discriminant.name()).claim(NameWords.camel(named(field)));
            return new Component(name, mappings.member(union.name(), field), field);
        }

        private String named(Field field) {
            String usual = NameWords.capitalised(field.name());
            String override = names.override(union.name() + "." + field.name(), usual);
            return override.equals(usual) ? usual : NameWords.capitalised(override);
        }

        private String named(CaseValue first) {
            String label = first.label();
            boolean isNumber = label.startsWith("-") || Character.isDigit(label.charAt(0));
            return isNumber ? "Case" + label.replace("-", "Minus") : NameWords.capitalised(label);
        }
    }
}
