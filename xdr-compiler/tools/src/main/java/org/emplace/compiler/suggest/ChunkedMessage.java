// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.suggest;

import java.util.ArrayList;
import java.util.List;
import org.emplace.compiler.binding.Binding;
import org.emplace.compiler.binding.DataItems;
import org.emplace.compiler.binding.Occurrence;
import org.emplace.compiler.binding.StreamOrder;
import org.emplace.compiler.model.Program;
import org.emplace.compiler.model.Protocol;
import org.emplace.compiler.model.Target;

/**
 * The arguments or the results of a procedure that can have chunks.
 *
 * @param whole their use as a whole
 * @param items what could be eligible in them
 */
record ChunkedMessage(ItemUse whole, StreamOrder<Occurrence> items) {

    /**
     * The bytes that this project's runtime sends inline if both peers accept them (docs/binding-language.md, "Connections"). A binding can only
     * raise the number.
     */
    private static final int INLINE = 8192;

    /** All arguments and results. Omits versions that are called in the backward direction, without chunks. */
    static List<ChunkedMessage> of(Protocol protocol, Binding binding) {
        DataItems items = new DataItems(protocol, binding);
        List<ChunkedMessage> messages = new ArrayList<>();
        for (Program program : protocol.programs()) {
            for (Program.Version version : program.versions()) {
                Binding.VersionBinding bound =
                        binding.versions().get(new Target.Version(program.name(), version.name()));
                if (bound == null || bound.backward()) {
                    continue;
                }
                int limit = Math.max(INLINE, bound.inlineThreshold().orElse(INLINE));
                for (Program.Procedure procedure : version.procedures()) {
                    Target.Procedure target = new Target.Procedure(program.name(), version.name(), procedure.name());
                    messages.add(new ChunkedMessage(
                            ItemUse.ofWhole(procedure, false, limit), items.arguments(target, procedure)));
                    messages.add(new ChunkedMessage(
                            ItemUse.ofWhole(procedure, true, limit), items.results(target, procedure)));
                }
            }
        }
        return messages;
    }

    /** The use of an item in it. */
    ItemUse use(Occurrence item) {
        return whole.of(item);
    }
}
