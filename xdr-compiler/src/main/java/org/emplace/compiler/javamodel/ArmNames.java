// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.javamodel;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.emplace.compiler.model.Target;
import org.emplace.compiler.model.TypeDefinition.Arm;
import org.emplace.compiler.model.TypeDefinition.CaseValue;
import org.emplace.compiler.model.TypeDefinition.Field;
import org.emplace.compiler.model.TypeDefinition.Union;

/** Makes the arms of one union. */
final class ArmNames {
    private final Union union;
    private final Discriminant discriminant;
    private final JavaTypes javaTypes;
    private final ClassNames names;
    private final NameScope functions = NameScope.ofMembers();
    private final NameScope types = NameScope.ofClasses();

    ArmNames(Union union, Discriminant discriminant, JavaTypes javaTypes, ClassNames names) {
        this.union = union;
        this.discriminant = discriminant;
        this.javaTypes = javaTypes;
        this.names = names;
    }

    List<UnionArm> arms() {
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
        long distinct = cases.stream().mapToLong(CaseValue::value).distinct().count();
        return discriminant.isBoolean() ? distinct == 2 : discriminant.isExhaustedBy(distinct);
    }

    private UnionArm arm(
            String proposed, Optional<Field> field, List<CaseValue> cases, boolean isDefault, String documentation) {
        String type = types.claim(names.isTaken(proposed) ? proposed + "Arm" : proposed);
        // The default arm of a union on bool has one value left.
        boolean keepsDiscriminant = isDefault ? !discriminant.isBoolean() : cases.size() > 1;
        return new UnionArm(
                names.type(union.name()).nested(type),
                functions.claim(NameWords.camel(type)),
                field.map(this::component),
                cases,
                isDefault,
                keepsDiscriminant,
                documentation);
    }

    private Component component(Field field) {
        String name = NameScope.ofComponents(discriminant.name()).claim(NameWords.camel(named(field)));
        return new Component(name, javaTypes.member(union.name(), field), field);
    }

    private String named(Field field) {
        String usual = NameWords.capitalised(field.name());
        String override = names.override(new Target.Item(union.name(), field.name()), usual);
        return override.equals(usual) ? usual : NameWords.capitalised(override);
    }

    private static String named(CaseValue first) {
        String label = first.label();
        boolean isNumber = label.startsWith("-") || Character.isDigit(label.charAt(0));
        return isNumber ? "Case" + label.replace("-", "Minus") : NameWords.capitalised(label);
    }
}
