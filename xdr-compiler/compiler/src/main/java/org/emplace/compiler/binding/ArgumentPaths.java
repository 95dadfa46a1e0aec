// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.binding;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.diagnostic.Spelling;
import org.emplace.compiler.model.Program;
import org.emplace.compiler.model.Protocol;
import org.emplace.compiler.model.TypeDefinition;
import org.emplace.compiler.model.XdrType;
import org.emplace.compiler.source.Span;
import org.emplace.compiler.syntax.Clause;

/**
 * Resolves paths of names that begin at a procedure's argument, or at one of its arguments. A path leads through structs, which are in every call.
 * After {@code [i]}, in the elements of an array, it also leads through the arms of unions, which some elements have.
 */
record ArgumentPaths(Protocol protocol, Diagnostics diagnostics) {

    /** The word that denotes the argument. */
    static final String ARGUMENTS = "args";

    /**
     * A resolved path.
     *
     * @param array the names up to the array that {@code [i]} follows, if it occurs
     * @param rest the names after it, or after {@code args}
     */
    record ResolvedPath(Optional<List<String>> array, List<String> rest) {}

    /** The path of a discriminant, and one of its values. */
    record Selector(ResolvedPath path, TypeDefinition.CaseValue value) {}

    /** A path with the type at its end, and the definition that contains its last name. */
    private record Followed(ResolvedPath path, XdrType end, Optional<TypeDefinition> holder) {}

    /** Resolves the path of an {@code int} or {@code unsigned int}. Returns empty if there is none, which is reported. */
    Optional<ResolvedPath> toNumber(List<Clause.Step> steps, Span span, Program.Procedure procedure) {
        Optional<Followed> followed = follow(steps, span, procedure);
        if (followed.isEmpty()) {
            return Optional.empty();
        }
        XdrType end = followed.get().end();
        if (end != XdrType.Primitive.INT && end != XdrType.Primitive.UNSIGNED_INT) {
            report(span, "a size must be an int or an unsigned int; in `" + procedure.name() + "` this is neither");
            return Optional.empty();
        }
        return followed.map(Followed::path);
    }

    /** Resolves the discriminant and the value of a condition. Returns empty if one of them does not exist, which is reported. */
    Optional<Selector> selected(Clause.Condition condition, BigInteger value, Program.Procedure procedure) {
        Span span = condition.discriminant().get(0).name().span();
        Optional<Followed> followed = follow(condition.discriminant(), span, procedure);
        if (followed.isEmpty()) {
            return Optional.empty();
        }
        String last = condition
                .discriminant()
                .get(condition.discriminant().size() - 1)
                .name()
                .text();
        if (followed.get().path().array().isEmpty()
                || !(followed.get().holder().orElse(null) instanceof TypeDefinition.Union union)
                || !union.discriminant().name().equals(last)) {
            report(span, "`when` needs a path with `[i]` that ends with the discriminant of a union");
            return Optional.empty();
        }
        Optional<TypeDefinition.CaseValue> selected = value(union, value);
        if (selected.isEmpty()) {
            report(
                    condition.value().span(),
                    "`" + condition.value().text() + "` is not a value of the discriminant `" + last + "` of `"
                            + union.name() + "`");
        }
        return selected.map(each -> new Selector(followed.get().path(), each));
    }

    /** A value that the discriminant of a union can have. */
    private Optional<TypeDefinition.CaseValue> value(TypeDefinition.Union union, BigInteger value) {
        Optional<TypeDefinition.CaseValue> ofArm = union.arms().stream()
                .flatMap(arm -> arm.cases().stream())
                .filter(each -> BigInteger.valueOf(each.value()).equals(value))
                .findFirst();
        if (ofArm.isPresent() || union.defaultArm().isEmpty()) {
            return ofArm;
        }
        return protocol.definition(union.discriminant().type()).stream()
                .filter(TypeDefinition.Enumeration.class::isInstance)
                .flatMap(type -> ((TypeDefinition.Enumeration) type).enumerators().stream())
                .filter(each -> BigInteger.valueOf(each.value()).equals(value))
                .map(each -> new TypeDefinition.CaseValue(each.name(), each.value()))
                .findFirst();
    }

    private Optional<Followed> follow(List<Clause.Step> steps, Span span, Program.Procedure procedure) {
        List<XdrType> arguments = procedure.arguments();
        if (arguments.isEmpty()) {
            report(span, "`" + procedure.name() + "` has no arguments, so no size can come from `args`");
            return Optional.empty();
        }
        Optional<List<String>> array = Optional.empty();
        List<String> names = new ArrayList<>();
        Optional<TypeDefinition> holder = Optional.empty();
        XdrType at = arguments.size() == 1 ? protocol.resolve(arguments.get(0)) : XdrType.Primitive.VOID;
        for (int i = 0; i < steps.size(); i++) {
            Clause.Step step = steps.get(i);
            if (i > 0) {
                holder = protocol.definition(at);
                Optional<XdrType> type = i == 1 && arguments.size() > 1
                        ? argument(step, procedure)
                        : member(holder, step, array.isPresent());
                if (type.isEmpty()) {
                    return Optional.empty();
                }
                names.add(step.name().text());
                at = protocol.resolve(type.get());
            }
            if (step.indexed()) {
                if (array.isPresent() || !(at instanceof XdrType.Array indexed)) {
                    report(step.name().span(), "`[i]` must follow the name of an array, and may occur only once");
                    return Optional.empty();
                }
                array = Optional.of(List.copyOf(names));
                names.clear();
                at = protocol.resolve(indexed.element());
            }
        }
        return Optional.of(new Followed(new ResolvedPath(array, List.copyOf(names)), at, holder));
    }

    private Optional<XdrType> member(Optional<TypeDefinition> holder, Clause.Step step, boolean isInElement) {
        List<TypeDefinition.Field> fields = new ArrayList<>();
        if (holder.orElse(null) instanceof TypeDefinition.Structure structure) {
            fields.addAll(structure.fields());
        } else if (isInElement && holder.orElse(null) instanceof TypeDefinition.Union union) {
            fields.add(union.discriminant());
            fields.addAll(union.members());
        } else {
            String where = isInElement ? "a struct or union" : "a struct, which a single argument must be for its size";
            report(step.name().span(), "`" + step.name().text() + "` must be a member of " + where);
            return Optional.empty();
        }
        Map<String, XdrType> types = new LinkedHashMap<>();
        fields.forEach(field -> types.putIfAbsent(field.name(), field.type()));
        return found(step, types, "`" + holder.get().name() + "` has no member");
    }

    /** Finds one of several arguments. */
    private Optional<XdrType> argument(Clause.Step step, Program.Procedure procedure) {
        Map<String, XdrType> types = new LinkedHashMap<>();
        for (int i = 0; i < procedure.arguments().size(); i++) {
            types.put(procedure.argumentNames().get(i), procedure.arguments().get(i));
        }
        return found(step, types, "`" + procedure.name() + "` has no argument");
    }

    private Optional<XdrType> found(Clause.Step step, Map<String, XdrType> types, String missing) {
        String name = step.name().text();
        Optional<XdrType> found = Optional.ofNullable(types.get(name));
        if (found.isEmpty()) {
            diagnostics.report(Diagnostic.error("E314", step.name().span(), missing + " `" + name + "`")
                    .hint(Spelling.hint(name, types.keySet())));
        }
        return found;
    }

    private void report(Span span, String message) {
        diagnostics.report(Diagnostic.error("E314", span, message));
    }
}
