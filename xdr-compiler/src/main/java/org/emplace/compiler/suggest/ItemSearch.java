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
 * Finds all members and arms that procedures reach, and where. Each type is entered once for each way of using it, whatever the number of paths to it, so that the time is
 * proportional to the size of the protocol.
 */
final class ItemSearch {

    /**
     * What a runtime of this project sends inline if both sides accept it (docs/binding-language.md, "Connections"): a binding can only raise it.
     */
    private static final int INLINE = 8192;

    private final Protocol protocol;
    private final Binding binding;
    private final Set<String> trees;
    private final Map<Target.Item, List<ItemUse>> found = new LinkedHashMap<>();
    private final Set<Entered> entered = new HashSet<>();

    /** A type in a way of using it. */
    private record Entered(String type, ItemUse use) {}

    ItemSearch(Protocol protocol, Binding binding) {
        this.protocol = protocol;
        this.binding = binding;
        this.trees = trees(protocol);
    }

    /** The items with their uses, in the order of the procedures. Versions that are called in backward direction, without chunks, are left out. */
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

    /** Sees a type of a procedure's arguments or results. */
    interface Visitor {
        void visit(XdrType type, ItemUse use);
    }

    /** The types that hold themselves otherwise than as a linked list. */
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

    /** Whether a clause makes it eligible, be it in one place only: whoever wrote that clause has decided where. */
    boolean isEligible(Target.Item item) {
        return binding.payloadItems().contains(item) || binding.encodedItems().contains(item);
    }
}
