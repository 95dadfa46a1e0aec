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
import java.util.stream.IntStream;
import org.emplace.compiler.binding.StreamOrder.Member;
import org.emplace.compiler.model.Program;
import org.emplace.compiler.model.Protocol;
import org.emplace.compiler.model.Target;
import org.emplace.compiler.model.TypeDefinition;
import org.emplace.compiler.model.TypeUse;
import org.emplace.compiler.model.XdrType;


/** Finds items in procedures. Searches typedefs, structs, unions, optional-data, arrays and linked lists. */
final class Reach {

    private static final int MOST_STEPS = 100_000;

    private final Protocol protocol;
    private final Sought sought;
    private final int most;
    private final Set<String> leading;

    /** @param most of how many items in a message a search gives up */
    Reach(Protocol protocol, Sought sought, int most) {
        this.protocol = protocol;
        this.sought = sought;
        this.most = most;
        this.leading = leading(protocol, sought.marked());
    }

    /** The items to find. */
    interface Sought {

        Set<Target.Item> marked();

        /** Whether one of them is eligible at a place in a procedure. */
        boolean isEligible(Target.Procedure procedure, Direction direction, Target.Item item, List<String> path);
    }

    /** The result of a search. It is incomplete if there are too many items, or too many paths to them. */
    record Found(StreamOrder<Occurrence> order, boolean complete) {

        List<Occurrence> occurrences() {
            return order.items();
        }
    }

    /** Searches all arguments. Each is a member of the order, by its name. */
    Found arguments(Target.Procedure target, Program.Procedure procedure) {
        Search search = new Search(target, Direction.ARGUMENTS);
        StreamOrder<Occurrence> order =
                StreamOrder.sequence(IntStream.range(0, procedure.arguments().size())
                        .mapToObj(i -> new Member<>(
                                procedure.argumentNames().get(i),
                                search.type(procedure.arguments().get(i), List.of(), Optional.empty())))
                        .toList());
        return new Found(order, !search.isOver());
    }

    /** Searches the results. */
    Found results(Target.Procedure target, Program.Procedure procedure) {
        Search search = new Search(target, Direction.RESULTS);
        StreamOrder<Occurrence> order = search.type(procedure.result(), List.of(), Optional.empty());
        return new Found(order, !search.isOver());
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

        private final Set<String> entered = new HashSet<>();

        /** The types that were entered inside themselves. */
        private final Set<String> nested = new HashSet<>();

        private final Target.Procedure procedure;
        private final Direction direction;
        private int found;
        private int steps;

        private Search(Target.Procedure procedure, Direction direction) {
            this.procedure = procedure;
            this.direction = direction;
        }

        private boolean isOver() {
            return found > most || steps > MOST_STEPS;
        }

        private StreamOrder<Occurrence> type(XdrType type, List<String> path, Optional<Target.Item> inside) {
            if (type instanceof XdrType.Reference reference) {
                return definition(reference.name(), path, inside);
            } else if (type instanceof XdrType.Array array) {
                StreamOrder.Count count = StreamOrder.Count.of(array);
                StreamOrder<Occurrence> element =
                        count.most() == 0 ? StreamOrder.none() : type(array.element(), elements(path), inside);
                return element.isEmpty() ? element : new StreamOrder.Repetition<>(count, element);
            } else if (type instanceof XdrType.Optional optional) {
                StreamOrder<Occurrence> content = type(optional.element(), path, inside);
                return content.isEmpty() ? content : new StreamOrder.Option<>(content);
            }
            return StreamOrder.none();
        }

        private StreamOrder<Occurrence> definition(String name, List<String> path, Optional<Target.Item> inside) {
            steps++;
            if (!leading.contains(name) || isOver()) {
                return StreamOrder.none();
            }
            if (!entered.add(name)) {
                nested.add(name);
                return StreamOrder.none();
            }
            TypeDefinition definition = protocol.type(name);
            StreamOrder<Occurrence> order = definition instanceof TypeDefinition.Typedef typedef
                    ? type(typedef.target(), path, inside)
                    : content(definition, path, inside);
            entered.remove(name);
            return nested.remove(name) ? order.map(each -> Optional.of(each.nested())) : order;
        }

        private StreamOrder<Occurrence> content(
                TypeDefinition definition, List<String> path, Optional<Target.Item> inside) {
            List<TypeDefinition.Field> fields = definition.members();
            OptionalInt link = protocol.link(definition);
            if (link.isPresent()) {
                int at = link.getAsInt();
                return StreamOrder.list(
                        members(definition, fields.subList(0, at), elements(path), inside),
                        members(definition, fields.subList(at + 1, fields.size()), elements(path), inside));
            }
            return definition instanceof TypeDefinition.Union union
                    ? union(union, path, inside)
                    : members(definition, fields, path, inside);
        }

        private StreamOrder<Occurrence> union(
                TypeDefinition.Union union, List<String> path, Optional<Target.Item> inside) {
            return StreamOrder.choice(
                    union.discriminant().name(),
                    union.allArms()
                            .map(arm -> new StreamOrder.Arm<>(
                                    arm.cases().stream()
                                            .map(TypeDefinition.CaseValue::label)
                                            .toList(),
                                    arm.field()
                                            .map(field -> member(union, field, path, inside))
                                            .orElse(new Member<>("void", StreamOrder.none()))))
                            .toList());
        }

        private StreamOrder<Occurrence> members(
                TypeDefinition holder,
                List<TypeDefinition.Field> fields,
                List<String> path,
                Optional<Target.Item> inside) {
            return StreamOrder.sequence(fields.stream()
                    .map(field -> member(holder, field, path, inside))
                    .toList());
        }

        private Member<Occurrence> member(
                TypeDefinition holder, TypeDefinition.Field field, List<String> path, Optional<Target.Item> inside) {
            return new Member<>(field.name(), field(holder, field, path, inside));
        }

        private StreamOrder<Occurrence> field(
                TypeDefinition holder, TypeDefinition.Field field, List<String> path, Optional<Target.Item> inside) {
            Target.Item item = new Target.Item(holder.name(), field.name());
            List<String> here = extended(path, field.name());
            boolean eligible = sought.isEligible(procedure, direction, item, here);
            boolean marked = sought.marked().contains(item);
            found += marked ? 1 : 0;
            StreamOrder<Occurrence> content =
                    type(field.type(), here, inside.isEmpty() && eligible ? Optional.of(item) : inside);
            if (!marked) {
                return content;
            }
            Occurrence one = new Occurrence(here, item, field, eligible, inside, false);
            if (!(protocol.resolve(field.type()) instanceof XdrType.Optional)) {
                return new StreamOrder.Item<>(one, content);
            }
            StreamOrder<Occurrence> present =
                    content instanceof StreamOrder.Option<Occurrence> option ? option.content() : content;
            return new StreamOrder.Option<>(new StreamOrder.Item<>(one, present));
        }

        private static List<String> elements(List<String> path) {
            return extended(path, Occurrence.ELEMENTS);
        }

        private static List<String> extended(List<String> path, String name) {
            List<String> longer = new ArrayList<>(path);
            longer.add(name);
            return List.copyOf(longer);
        }
    }

    /**
     * A procedure with the items in its arguments and results that are eligible somewhere.
     *
     * @param backward whether its program is called in the backward direction, without chunks
     */
    record ProcedureReach(
            Target.Procedure target,
            Program.Procedure procedure,
            boolean backward,
            Reach.Found arguments,
            Reach.Found results) {

        Reach.Found in(Direction direction) {
            return direction == Direction.ARGUMENTS ? arguments : results;
        }

        /** The items that may move by chunks. */
        List<Occurrence> eligible(Direction direction) {
            return backward
                    ? List.of()
                    : in(direction).occurrences().stream()
                            .filter(Occurrence::eligible)
                            .toList();
        }
    }
}
