// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.binding;

import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.model.Protocol;
import org.emplace.compiler.model.Target;
import org.emplace.compiler.model.TypeDefinition;
import org.emplace.compiler.syntax.Clause;

/** W312: every {@code name} names something that Java has, and every {@code prefix} is one that names begin with. */
final class EffectlessNameCheck implements BindingCheck {

    @Override
    public void check(BindingFacts facts, Diagnostics diagnostics) {
        Protocol protocol = facts.protocol();
        Set<String> values = TypeClauses.of(facts.clauses()).values();
        facts.clauses()
                .byTarget()
                .forEach((target, clauses) -> clauses.forEach(clause -> {
                    if (clause instanceof Clause.JavaName name) {
                        withoutName(protocol, values, target)
                                .ifPresent(reason -> diagnostics.report(name.withoutEffect(reason)));
                    } else if (clause instanceof Clause.Prefix prefix
                            && isUnused(protocol, target, prefix.name().text())) {
                        boolean hasNames = target instanceof Target.Version || isEnum(protocol, target);
                        diagnostics.report(prefix.withoutEffect(
                                hasNames
                                        ? "none of the names begins with `"
                                                + prefix.name().text() + "` and goes on with a letter"
                                        : "it applies to a version or an enum"));
                    }
                }));
    }

    /** Why nothing in Java has the name of a target; empty if something has. */
    private static Optional<String> withoutName(Protocol protocol, Set<String> values, Target target) {
        if (target instanceof Target.Type type) {
            TypeDefinition definition = protocol.type(type.name());
            if (definition instanceof TypeDefinition.Typedef && !values.contains(type.name())) {
                return Optional.of(
                        "`" + type.name() + "` is a typedef, which is no type of its own without `value` or `bits`");
            }
            return isOptional(protocol, definition)
                    ? Optional.of("`" + type.name() + "` is an optional value in Java")
                    : Optional.empty();
        } else if (target instanceof Target.Item item) {
            TypeDefinition holder = protocol.type(item.type());
            if (isOptional(protocol, holder)) {
                return Optional.of("`" + item.type() + "` is an optional value in Java");
            }
            boolean isLink = holder.member(item.member()).isPresent()
                    && protocol.withoutLink(holder).stream()
                            .noneMatch(field -> field.name().equals(item.member()))
                    && protocol.link(holder).isPresent();
            return isLink
                    ? Optional.of("`" + item.member() + "` links the elements of a list, which is a List in Java")
                    : Optional.empty();
        }
        return Optional.empty();
    }

    private static boolean isOptional(Protocol protocol, TypeDefinition definition) {
        return definition instanceof TypeDefinition.Union union
                && protocol.optionalMember(union).isPresent();
    }

    private static boolean isEnum(Protocol protocol, Target target) {
        return target instanceof Target.Type type && protocol.type(type.name()) instanceof TypeDefinition.Enumeration;
    }

    private static boolean isUnused(Protocol protocol, Target target, String prefix) {
        return names(protocol, target)
                .noneMatch(name -> name.startsWith(prefix)
                        && name.length() > prefix.length()
                        && Character.isLetter(name.charAt(prefix.length())));
    }

    private static Stream<String> names(Protocol protocol, Target target) {
        if (target instanceof Target.Type type
                && protocol.type(type.name()) instanceof TypeDefinition.Enumeration enumeration) {
            return enumeration.withAliases().map(TypeDefinition.Enumerator::name);
        }
        return protocol.programs().stream()
                .flatMap(program -> program.versions().stream()
                        .filter(version -> target.equals(new Target.Version(program.name(), version.name())))
                        .flatMap(version -> version.procedures().stream().map(each -> each.name())));
    }
}
