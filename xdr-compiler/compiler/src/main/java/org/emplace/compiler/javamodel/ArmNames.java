// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.javamodel;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.emplace.compiler.javamodel.JavaClass.Discriminant;
import org.emplace.compiler.model.Target;
import org.emplace.compiler.model.TypeDefinition.Arm;
import org.emplace.compiler.model.TypeDefinition.CaseValue;
import org.emplace.compiler.model.TypeDefinition.Field;
import org.emplace.compiler.model.TypeDefinition.Union;

/** Makes the arms of a union. */
final class ArmNames {
    private final Union union;
    private final Discriminant discriminant;
    private final JavaTypes javaTypes;
    private final ClassNames names;
    private final JavaName self;
    private final NameScope methods = NameScope.ofMembers(UnionArm.OTHERWISE);

    ArmNames(Union union, Discriminant discriminant, JavaTypes javaTypes, ClassNames names) {
        this.union = union;
        this.discriminant = discriminant;
        this.javaTypes = javaTypes;
        this.names = names;
        this.self = names.type(union.name());
    }

    List<UnionArm> arms() {
        List<UnionArm> arms = new ArrayList<>();
        List<CaseValue> all =
                union.arms().stream().flatMap(arm -> arm.cases().stream()).toList();
        for (Arm arm : union.arms()) {
            arms.add(arm(named(arm.cases().get(0), names), arm.field(), arm.cases(), false, arm.documentation()));
        }
        union.defaultArm()
                .filter(arm -> !coversEverything(all))
                .ifPresent(arm -> arms.add(arm("Default", arm.field(), all, true, arm.documentation())));
        return arms;
    }

    private boolean coversEverything(List<CaseValue> cases) {
        long distinct = cases.stream().mapToLong(CaseValue::value).distinct().count();
        return discriminant.isBoolean() ? distinct == 2 : discriminant.isExhaustedBy(distinct);
    }

    private UnionArm arm(
            String proposed, Optional<Field> field, List<CaseValue> cases, boolean isDefault, String documentation) {
        String type = proposed;
        while (isReserved(type)) {
            type += "Arm";
        }
        // The default arm of a union on {@code bool} has only one value left beside a case.
        boolean keepsDiscriminant = isDefault ? !discriminant.isBoolean() || cases.isEmpty() : cases.size() > 1;
        return new UnionArm(
                self.nested(type),
                methods.allowed(method(type)),
                field.map(this::component),
                cases,
                isDefault,
                keepsDiscriminant,
                documentation);
    }

    private static String method(String type) {
        String name = NameWords.camel(type);
        return NameScope.isKeyword(name) ? name + "Arm" : name;
    }

    /**
     * Whether an arm cannot have this name. A nested class cannot have the name of a class around it, or of the union's visitor, and must not hide a
     * class that generated code uses.
     */
    private boolean isReserved(String arm) {
        return self.simpleNames().stream().anyMatch(arm::equalsIgnoreCase)
                || arm.equals(UnionArm.VISITOR)
                || ReservedNames.CLASSES.contains(arm);
    }

    private Component component(Field field) {
        String name = names.override(new Target.Item(union.name(), field.name()), NameWords.camel(field.name()));
        return new Component(
                NameScope.ofComponents(discriminant.name()).allowed(name),
                javaTypes.member(union.name(), field),
                field);
    }

    /** The name of an arm: that of the first label that selects it. Its content does not matter, because two arms may have the same. */
    static String named(CaseValue first, ClassNames names) {
        String label = first.label();
        if (label.startsWith("-") || Character.isDigit(label.charAt(0))) {
            return "Case" + label.replace("-", "Minus");
        }
        return NameWords.capitalized(names.constant(label));
    }
}
