// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.compare;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.emplace.compiler.binding.ChunkPlan.Size;
import org.emplace.compiler.model.Program;
import org.emplace.compiler.model.Protocol;
import org.emplace.compiler.model.TypeDefinition;
import org.emplace.compiler.model.TypeDefinition.CaseValue;
import org.emplace.compiler.model.XdrType;

/**
 * Replaces names in paths with what identifies them on the wire: members by their index, arms by the value that selects them. A path through a renamed
 * member thus stays equal.
 *
 * @param flat whether a member's index is that among all members of a sequence, whatever structs group them
 */
record WirePaths(Protocol protocol, Program.Procedure procedure, boolean flat) {

    private static final String ELEMENT = "[]";

    /** The path of an eligible argument. */
    List<String> inArguments(List<String> path) {
        return IntStream.range(0, procedure.arguments().size())
                .mapToObj(i -> inArgument(i, path))
                .flatMap(Optional::stream)
                .findFirst()
                .orElse(path);
    }

    /** The path of an eligible result. */
    List<String> inResults(List<String> path) {
        return from(procedure.result(), 0, path).orElse(path);
    }

    /** A size with its paths replaced, only to be compared: the path of an array and that from its element on are one. */
    Size size(Size size) {
        if (size instanceof Size.FromArgument argument) {
            return new Size.FromArgument(toSize(argument.path()), argument.plus());
        } else if (size instanceof Size.FromElements elements) {
            return new Size.FromElements(toSize(elements.array(), elements.path()), List.of(), elements.plus());
        } else if (size instanceof Size.PerElement each) {
            CaseValue selected = new CaseValue("", each.selected().value());
            return new Size.PerElement(toSize(each.array(), each.discriminant()), List.of(), selected, each.bytes());
        }
        return size;
    }

    private List<String> toSize(List<String> array, List<String> inElement) {
        return toSize(Stream.of(array, List.of(ELEMENT), inElement)
                .flatMap(List::stream)
                .toList());
    }

    /** The first name of a path selects one of several arguments. */
    private List<String> toSize(List<String> path) {
        if (path.isEmpty() || procedure.arguments().size() == 1) {
            return procedure.arguments().isEmpty() ? path : inArgument(0, path).orElse(path);
        }
        int argument = procedure.argumentNames().indexOf(path.get(0));
        return inArgument(argument, path.subList(1, path.size())).orElse(path);
    }

    private Optional<List<String>> inArgument(int argument, List<String> path) {
        List<XdrType> arguments = procedure.arguments();
        if (flat) {
            return from(arguments.get(argument), values(arguments.subList(0, argument), new HashMap<>()), path);
        }
        return from(arguments.get(argument), 0, path)
                .map(rest -> Stream.concat(Stream.of(String.valueOf(argument)), rest.stream())
                        .toList());
    }

    /**
     * The path from a type on.
     *
     * @param before the number of values before it in its sequence, if paths are flat
     */
    private Optional<List<String>> from(XdrType root, long before, List<String> path) {
        List<String> onTheWire = new ArrayList<>();
        XdrType at = root;
        long values = before;
        for (String name : path) {
            if (name.equals(ELEMENT)) {
                values = next(values, onTheWire);
                onTheWire.add(name);
                continue;
            }
            Optional<TypeDefinition> holder = protocol.within(at);
            Optional<TypeDefinition.Field> member = holder.flatMap(type -> named(type, name));
            if (member.isEmpty()) {
                return Optional.empty();
            }
            boolean isGrouping = holder.get() instanceof TypeDefinition.Structure
                    && protocol.resolve(at) instanceof XdrType.Reference;
            if (!isGrouping) {
                values = next(values, onTheWire);
            }
            if (flat && holder.get() instanceof TypeDefinition.Structure struct) {
                values += values(
                        struct.fields().subList(0, struct.fields().indexOf(member.get())).stream()
                                .map(TypeDefinition.Field::type)
                                .toList(),
                        new HashMap<>());
            } else {
                onTheWire.add(place(holder.get(), member.get()));
            }
            at = member.get().type();
        }
        next(values, onTheWire);
        return Optional.of(onTheWire);
    }

    /** Ends a sequence of values in a flat path. */
    private long next(long values, List<String> onTheWire) {
        if (flat) {
            onTheWire.add(String.valueOf(values));
        }
        return 0;
    }

    /** The number of values in a sequence, in which a struct is as many as its members are. */
    private long values(List<XdrType> types, Map<String, Long> known) {
        return types.stream()
                .mapToLong(type -> protocol.definition(type).orElse(null) instanceof TypeDefinition.Structure struct
                        ? values(struct, known)
                        : 1)
                .sum();
    }

    private long values(TypeDefinition.Structure struct, Map<String, Long> known) {
        Long counted = known.get(struct.name());
        long values = counted != null
                ? counted
                : values(
                        struct.fields().stream().map(TypeDefinition.Field::type).toList(), known);
        known.put(struct.name(), values);
        return values;
    }

    private static Optional<TypeDefinition.Field> named(TypeDefinition holder, String name) {
        return holder instanceof TypeDefinition.Union union
                        && union.discriminant().name().equals(name)
                ? Optional.of(union.discriminant())
                : holder.member(name);
    }

    private static String place(TypeDefinition holder, TypeDefinition.Field member) {
        if (holder instanceof TypeDefinition.Union union) {
            return union.arms().stream()
                    .filter(arm -> arm.field().filter(member::equals).isPresent())
                    .map(arm -> "case " + arm.cases().get(0).value())
                    .findFirst()
                    .orElse(member.equals(union.discriminant()) ? "discriminant" : "default");
        }
        return String.valueOf(holder.members().indexOf(member));
    }
}
