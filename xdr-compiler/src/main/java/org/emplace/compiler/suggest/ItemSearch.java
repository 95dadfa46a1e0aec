// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.suggest;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.emplace.compiler.binding.Binding;
import org.emplace.compiler.binding.Members;
import org.emplace.compiler.model.Program;
import org.emplace.compiler.model.Protocol;
import org.emplace.compiler.model.StrongComponents;
import org.emplace.compiler.model.Target;
import org.emplace.compiler.model.TypeDefinition;
import org.emplace.compiler.model.TypeUse;
import org.emplace.compiler.model.XdrType;

/**
 * Finds all members and arms in procedures, and their uses. It enters each type once for each way of using it, however many paths lead to it. So the
 * time is proportional to the size of the protocol.
 */
final class ItemSearch {

    /**
     * The bytes that this project's runtime sends inline if both peers accept them (docs/binding-language.md, "Connections"). A binding can only
     * raise the number.
     */
    private static final int INLINE = 8192;

    private final Protocol protocol;
    private final Binding binding;
    private final Set<String> trees;
    private final Map<Target.Item, List<ItemUse>> found = new LinkedHashMap<>();
    private final Set<Entered> entered = new HashSet<>();

    /** A type and the way of using it in which it was entered. */
    private record Entered(String type, ItemUse use) {}

    ItemSearch(Protocol protocol, Binding binding) {
        this.protocol = protocol;
        this.binding = binding;
        this.trees = trees(protocol);
    }

    /** The items with their uses, in the order of the procedures. Omits versions that are called in backward direction, without chunks. */
    Map<Target.Item, List<ItemUse>> items() {
        forEachUse(this::enter);
        return found;
    }

    /** Calls a visitor for each argument and each result. */
    void forEachUse(Visitor visitor) {
        for (Program program : protocol.programs()) {
            for (Program.Version version : program.versions()) {
                Binding.VersionBinding bound =
                        binding.versions().get(new Target.Version(program.name(), version.name()));
                if (bound == null || bound.backward()) {
                    continue;
                }
                int limit = Math.max(INLINE, bound.inlineThreshold().orElse(INLINE));
                for (Program.Procedure procedure : version.procedures()) {
                    ItemUse argument = new ItemUse(procedure, false, false, false, false, limit);
                    procedure.arguments().forEach(type -> visitor.visit(type, argument));
                    visitor.visit(procedure.result(), new ItemUse(procedure, true, false, false, false, limit));
                }
            }
        }
    }

    /** Receives the type of an argument or a result. */
    interface Visitor {
        void visit(XdrType type, ItemUse use);
    }

    /** The types that contain themselves other than as a linked list. */
    private static Set<String> trees(Protocol protocol) {
        Set<String> trees = new HashSet<>();
        for (List<String> component : StrongComponents.of(protocol.types().keySet(), name -> uses(protocol, name))) {
            if (component.size() > 1 || uses(protocol, component.get(0)).contains(component.get(0))) {
                trees.addAll(component);
            }
        }
        return trees;
    }

    private static List<String> uses(Protocol protocol, String name) {
        TypeDefinition definition = protocol.type(name);
        if (protocol.link(definition).isEmpty()) {
            return TypeUse.of(definition).stream().map(TypeUse::type).toList();
        }
        return beforeLink(protocol, definition).stream()
                .flatMap(field -> TypeUse.of(field.type()).stream())
                .map(TypeUse::type)
                .toList();
    }

    private static List<TypeDefinition.Field> beforeLink(Protocol protocol, TypeDefinition definition) {
        OptionalInt link = protocol.link(definition);
        List<TypeDefinition.Field> fields = new ArrayList<>(Members.of(definition));
        link.ifPresent(fields::remove);
        return fields;
    }

    private void enter(XdrType type, ItemUse use) {
        if (type instanceof XdrType.Reference reference) {
            enter(reference.name(), use);
        } else if (type instanceof XdrType.FixedArray array) {
            enter(array.element(), use.within(true, false, false));
        } else if (type instanceof XdrType.VariableArray array) {
            enter(array.element(), use.within(true, false, false));
        } else if (type instanceof XdrType.Optional optional) {
            enter(optional.element(), use);
        }
    }

    private void enter(String name, ItemUse use) {
        TypeDefinition definition = protocol.type(name);
        boolean isList = protocol.link(definition).isPresent();
        ItemUse here = use.within(isList, trees.contains(name), false);
        if (!entered.add(new Entered(name, here))) {
            return;
        }
        if (definition instanceof TypeDefinition.Typedef typedef) {
            enter(typedef.target(), here);
        }
        for (TypeDefinition.Field field : beforeLink(protocol, definition)) {
            Target.Item item = new Target.Item(name, field.name());
            found.computeIfAbsent(item, any -> new ArrayList<>()).add(here);
            enter(field.type(), here.within(false, false, isEligible(item)));
        }
    }

    /** Whether a clause makes it eligible, if only in one place. The author of that clause has decided where. */
    boolean isEligible(Target.Item item) {
        return binding.payloadItems().contains(item) || binding.encodedItems().contains(item);
    }
}
