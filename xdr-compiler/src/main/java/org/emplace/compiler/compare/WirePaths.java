// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.emplace.compiler.binding.ChunkPlan.Size;
import org.emplace.compiler.model.Program;
import org.emplace.compiler.model.Protocol;
import org.emplace.compiler.model.TypeDefinition;
import org.emplace.compiler.model.TypeDefinition.CaseValue;
import org.emplace.compiler.model.XdrType;

/**
 * Replaces names in paths with what identifies them on the wire: members by their index, arms by the value that selects them. A path through a renamed
 * member thus stays equal.
 */
record WirePaths(Protocol protocol, Program.Procedure procedure) {

    /** The path of an eligible argument. */
    List<String> inArguments(List<String> path) {
        List<XdrType> arguments = procedure.arguments();
        for (int i = 0; i < arguments.size(); i++) {
            Optional<List<String>> found = from(arguments.get(i), path);
            if (found.isPresent()) {
                found.get().add(0, String.valueOf(i));
                return found.get();
            }
        }
        return path;
    }

    /** The path of an eligible result. */
    List<String> inResults(List<String> path) {
        return from(procedure.result(), path).orElse(path);
    }

    /** A size with its paths replaced. */
    Size size(Size size) {
        if (size instanceof Size.FromArgument argument) {
            return new Size.FromArgument(toSize(argument.path()), argument.plus());
        } else if (size instanceof Size.FromElements elements) {
            int border = elements.array().size();
            List<String> all = toSize(joined(elements.array(), elements.path()));
            return new Size.FromElements(all.subList(0, border), all.subList(border, all.size()), elements.plus());
        } else if (size instanceof Size.PerElement each) {
            int border = each.array().size();
            List<String> all = toSize(joined(each.array(), each.discriminant()));
            CaseValue selected = new CaseValue("", each.selected().value());
            return new Size.PerElement(all.subList(0, border), all.subList(border, all.size()), selected, each.bytes());
        }
        return size;
    }

    /** The first name of a path selects one of several arguments. */
    private List<String> toSize(List<String> path) {
        if (procedure.arguments().size() == 1 || path.isEmpty()) {
            return procedure.arguments().isEmpty()
                    ? path
                    : from(procedure.arguments().get(0), path).orElse(path);
        }
        int argument = procedure.argumentNames().indexOf(path.get(0));
        return from(procedure.arguments().get(argument), path.subList(1, path.size()))
                .map(rest -> joined(List.of(String.valueOf(argument)), rest))
                .orElse(path);
    }

    private Optional<List<String>> from(XdrType root, List<String> path) {
        List<String> onTheWire = new ArrayList<>();
        XdrType at = root;
        for (String name : path) {
            if (name.equals("[]")) {
                onTheWire.add(name);
                continue;
            }
            Optional<TypeDefinition> holder = protocol.within(at);
            Optional<TypeDefinition.Field> member = holder.flatMap(type -> named(type, name));
            if (member.isEmpty()) {
                return Optional.empty();
            }
            onTheWire.add(place(holder.get(), member.get()));
            at = member.get().type();
        }
        return Optional.of(onTheWire);
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

    private static List<String> joined(List<String> first, List<String> second) {
        List<String> all = new ArrayList<>(first);
        all.addAll(second);
        return all;
    }
}
