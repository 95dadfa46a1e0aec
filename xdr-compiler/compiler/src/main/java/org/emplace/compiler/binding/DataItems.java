// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.binding;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.emplace.compiler.model.Program;
import org.emplace.compiler.model.Protocol;
import org.emplace.compiler.model.Target;
import org.emplace.compiler.model.XdrType;

/**
 * The members and arms of a protocol that a clause could make eligible, because they are bytes, strings or arrays, and those that are eligible. Where
 * there are very many paths to such items in a message, only the first of them are found.
 */
public final class DataItems {
    private final Reach reach;

    /** Those of a protocol with a binding. */
    public DataItems(Protocol protocol, Binding binding) {
        this.reach = new Reach(protocol, new AllItems(marked(protocol, binding), binding), Integer.MAX_VALUE);
    }

    /** Those of the arguments of a procedure, of which each is a member. */
    public StreamOrder<Occurrence> arguments(Target.Procedure target, Program.Procedure procedure) {
        return reach.arguments(target, procedure).order();
    }

    /** Those of the results of a procedure. */
    public StreamOrder<Occurrence> results(Target.Procedure target, Program.Procedure procedure) {
        return reach.results(target, procedure).order();
    }

    private static Set<Target.Item> marked(Protocol protocol, Binding binding) {
        Set<Target.Item> marked = new HashSet<>(binding.payloadItems());
        marked.addAll(binding.encodedItems());
        protocol.types()
                .forEach((name, definition) -> definition.members().stream()
                        .filter(field -> {
                            XdrType type = protocol.resolve(field.type());
                            return type instanceof XdrType.Bytes || type instanceof XdrType.Array;
                        })
                        .forEach(field -> marked.add(new Target.Item(name, field.name()))));
        return Set.copyOf(marked);
    }

    private record AllItems(Set<Target.Item> marked, Binding binding) implements Reach.Sought {

        /** Anywhere, if a clause makes it eligible in one place. The author of that clause has decided where. */
        @Override
        public boolean isEligible(
                Target.Procedure procedure, Direction direction, Target.Item item, List<String> path) {
            return binding.isEligible(item);
        }
    }
}
