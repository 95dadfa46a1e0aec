// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.suggest;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.emplace.compiler.binding.Binding;
import org.emplace.compiler.model.Program;
import org.emplace.compiler.model.Protocol;
import org.emplace.compiler.model.Recursion;
import org.emplace.compiler.model.Target;
import org.emplace.compiler.model.TypeDefinition;
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
    private final Recursion trees;
    private final Map<Target.Item, List<ItemUse>> found = new LinkedHashMap<>();
    private final Set<Entered> entered = new HashSet<>();

    /** A type and the way of using it in which it was entered. */
    private record Entered(String type, ItemUse use) {}

    ItemSearch(Protocol protocol, Binding binding) {
        this.protocol = protocol;
        this.binding = binding;
        this.trees = new Recursion(protocol);
    }

    /** The items with their uses, in the order of the procedures. Omits versions that are called in the backward direction, without chunks. */
    Map<Target.Item, List<ItemUse>> items() {
        forEachUse(this::enter);
        return found;
    }

    /** Calls a visitor for the type of each argument and each result. */
    void forEachUse(BiConsumer<XdrType, ItemUse> visitor) {
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
                    procedure.arguments().forEach(type -> visitor.accept(type, argument));
                    visitor.accept(procedure.result(), new ItemUse(procedure, true, false, false, false, limit));
                }
            }
        }
    }

    private void enter(XdrType type, ItemUse use) {
        if (type instanceof XdrType.Reference reference) {
            enter(reference.name(), use);
        } else if (type instanceof XdrType.Array array) {
            enter(array.element(), use.within(true, false, false));
        } else if (type instanceof XdrType.Optional optional) {
            enter(optional.element(), use);
        }
    }

    private void enter(String name, ItemUse use) {
        TypeDefinition definition = protocol.type(name);
        boolean isList = protocol.link(definition).isPresent();
        ItemUse here = use.within(isList, trees.isRecursive(name), false);
        if (!entered.add(new Entered(name, here))) {
            return;
        }
        if (definition instanceof TypeDefinition.Typedef typedef) {
            enter(typedef.target(), here);
        }
        for (TypeDefinition.Field field : protocol.withoutLink(definition)) {
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
