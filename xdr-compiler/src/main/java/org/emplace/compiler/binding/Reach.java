// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.binding;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.emplace.compiler.model.Protocol;
import org.emplace.compiler.model.Target;
import org.emplace.compiler.model.TypeDefinition;
import org.emplace.compiler.model.TypeUse;
import org.emplace.compiler.model.XdrType;

/** Finds the items in procedures that are eligible somewhere. Searches typedefs, structs, unions, optional-data, arrays and linked lists. */
final class Reach {

    /** No chunk list can carry more items of one message. */
    private static final int MOST = 1000;

    private static final int MOST_STEPS = 100_000;

    private final Protocol protocol;
    private final Eligibility eligibility;
    private final Set<String> leading;

    Reach(Protocol protocol, Eligibility eligibility) {
        this.protocol = protocol;
        this.eligibility = eligibility;
        this.leading = leading(protocol, eligibility.marked());
    }

    /** The result of a search, in stream order. It is incomplete if there are more items than {@link #MOST}, or too many paths to them. */
    record Found(List<Occurrence> occurrences, boolean complete) {}

    Found of(Target.Procedure procedure, Direction direction, List<XdrType> roots) {
        Search search = new Search(procedure, direction);
        roots.forEach(root -> search.type(root, List.of(), Optional.empty()));
        return new Found(List.copyOf(search.found), !search.isOver());
    }

    /** The types that lead to a marked item. Other types need no search. */
    private static Set<String> leading(Protocol protocol, Set<Target.Item> marked) {
        Map<String, List<String>> users = new HashMap<>();
        protocol.types()
                .forEach((name, definition) -> TypeUse.of(definition)
                        .forEach(use -> users.computeIfAbsent(use.type(), any -> new ArrayList<>())
                                .add(name)));
        Set<String> leading = new HashSet<>();
        Deque<String> fresh = new ArrayDeque<>();
        marked.forEach(item -> fresh.add(item.type()));
        while (!fresh.isEmpty()) {
            String name = fresh.remove();
            if (leading.add(name)) {
                fresh.addAll(users.getOrDefault(name, List.of()));
            }
        }
        return leading;
    }

    /** The search of one procedure's arguments or results. */
    private final class Search {

        private final List<Occurrence> found = new ArrayList<>();
        private final Set<String> entered = new HashSet<>();

        /** The types that were entered inside themselves. */
        private final Set<String> nested = new HashSet<>();

        private final Target.Procedure procedure;
        private final Direction direction;
        private int steps;

        private Search(Target.Procedure procedure, Direction direction) {
            this.procedure = procedure;
            this.direction = direction;
        }

        private boolean isOver() {
            return found.size() > MOST || steps > MOST_STEPS;
        }

        private void type(XdrType type, List<String> path, Optional<Target.Item> inside) {
            if (type instanceof XdrType.Reference reference) {
                definition(reference.name(), path, inside);
            } else if (type instanceof XdrType.Array array) {
                type(array.element(), extended(path, Occurrence.ELEMENTS), inside);
            } else if (type instanceof XdrType.Optional optional) {
                type(optional.element(), path, inside);
            }
        }

        private void definition(String name, List<String> path, Optional<Target.Item> inside) {
            steps++;
            if (!leading.contains(name) || isOver()) {
                return;
            }
            if (!entered.add(name)) {
                nested.add(name);
                return;
            }
            int before = found.size();
            TypeDefinition definition = protocol.type(name);
            if (definition instanceof TypeDefinition.Typedef typedef) {
                type(typedef.target(), path, inside);
            } else {
                members(definition, path, inside);
            }
            entered.remove(name);
            if (nested.remove(name)) {
                found.subList(before, found.size()).replaceAll(Occurrence::nested);
            }
        }

        private void members(TypeDefinition definition, List<String> path, Optional<Target.Item> inside) {
            OptionalInt link = protocol.link(definition);
            List<TypeDefinition.Field> fields = definition.members();
            List<String> here = link.isPresent() ? extended(path, Occurrence.ELEMENTS) : path;
            for (int i = 0; i < fields.size(); i++) {
                if (i != link.orElse(-1)) {
                    field(definition, fields.get(i), here, inside);
                }
            }
        }

        private void field(
                TypeDefinition holder, TypeDefinition.Field field, List<String> path, Optional<Target.Item> inside) {
            Target.Item item = new Target.Item(holder.name(), field.name());
            List<String> here = extended(path, field.name());
            boolean eligible = eligibility.isEligible(procedure, direction, item, here);
            if (eligibility.marked().contains(item)) {
                found.add(new Occurrence(here, item, field, eligible, inside, false));
            }
            type(field.type(), here, inside.isEmpty() && eligible ? Optional.of(item) : inside);
        }

        private static List<String> extended(List<String> path, String name) {
            List<String> longer = new ArrayList<>(path);
            longer.add(name);
            return List.copyOf(longer);
        }
    }
}
