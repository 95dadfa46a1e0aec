// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.suggest;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.emplace.compiler.binding.Binding;
import org.emplace.compiler.binding.ChunkPlan;
import org.emplace.compiler.binding.DataItems;
import org.emplace.compiler.binding.LargestSizes;
import org.emplace.compiler.binding.Occurrence;
import org.emplace.compiler.binding.StreamOrder;
import org.emplace.compiler.binding.TypeClauses;
import org.emplace.compiler.model.Program;
import org.emplace.compiler.model.Protocol;
import org.emplace.compiler.model.Target;
import org.emplace.compiler.model.TypeDefinition;
import org.emplace.compiler.model.XdrType.Primitive;
import org.emplace.compiler.model.XdrType;


/**
 * Decides which items a binding should make DDP-eligible, by the criteria of RFC 8166 section 6.1: they are large, their content needs no XDR
 * encoding or decoding, and they contain no eligible item.
 */
public final class Candidates {

    /**
     * An argument or a result that is itself bytes, not a member of a struct or an arm of a union.
     *
     * @param description its type and its bound, in words
     */
    public record BareBytes(ItemUse use, String description) {}

    private final Protocol protocol;
    private final TypeClauses typeClauses;
    private final LargestSizes sizes;
    private final List<ChunkedMessage> messages;

    private Candidates(Protocol protocol, Binding binding) {
        this.protocol = protocol;
        this.typeClauses = binding.typeClauses();
        this.sizes = LargestSizes.ofWhole(protocol);
        this.messages = ChunkedMessage.of(protocol, binding);
    }

    /**
     * The members and arms in procedures that are bytes, strings or arrays, and that no clause makes eligible yet, in the order of the procedures. All
     * those that are suggested can be made eligible together.
     */
    public static List<Candidate> of(Protocol protocol, Binding binding) {
        Candidates candidates = new Candidates(protocol, binding);
        List<Candidate> all = new ArrayList<>();
        candidates.uses().forEach((item, uses) -> {
            TypeDefinition.Field field =
                    protocol.type(item.type()).member(item.member()).orElseThrow();
            if (!binding.isEligible(item) && !protocol.imports().has(field.origin())) {
                candidates.candidate(item, field, List.copyOf(uses)).ifPresent(all::add);
            }
        });
        return List.copyOf(all);
    }

    /** Large arguments and results of bytes that are not members, so that no clause can name them. */
    public static List<BareBytes> bareBytes(Protocol protocol, Binding binding) {
        Candidates candidates = new Candidates(protocol, binding);
        List<BareBytes> all = new ArrayList<>();
        for (ChunkedMessage message : candidates.messages) {
            ItemUse use = message.whole();
            for (XdrType type : use.types()) {
                boolean isBulk = protocol.isBytes(type) && !candidates.isUnboundedString(type);
                if (isBulk && isLarge(candidates.sizes.ofItem(type), List.of(use))) {
                    all.add(new BareBytes(use, candidates.description(protocol.resolve(type))));
                }
            }
        }
        return List.copyOf(all);
    }

    /** The items with their uses, in the order of the procedures. */
    private Map<Target.Item, Set<ItemUse>> uses() {
        Map<Target.Item, Set<ItemUse>> uses = new LinkedHashMap<>();
        messages.forEach(message -> message.items()
                .items()
                .forEach(each -> uses.computeIfAbsent(each.item(), any -> new LinkedHashSet<>())
                        .add(message.use(each))));
        return uses;
    }

    private Optional<Candidate> candidate(Target.Item item, TypeDefinition.Field field, List<ItemUse> uses) {
        XdrType type = protocol.resolve(field.type());
        if (!(type instanceof XdrType.Bytes || type instanceof XdrType.Array)) {
            return Optional.empty();
        }
        ChunkPlan.Size size = sizes.ofItem(type);
        return Optional.of(new Candidate(
                item,
                field,
                description(type),
                size,
                ItemUse.distinct(uses),
                objection(field.type(), size, uses),
                clauses(size, uses)));
    }

    private Optional<String> objection(XdrType type, ChunkPlan.Size size, List<ItemUse> uses) {
        if (!isLarge(size, uses)) {
            return Optional.of("it always fits inline");
        } else if (uses.stream().anyMatch(ItemUse::isInside)) {
            return Optional.of("it is part of an eligible item");
        } else if (uses.stream().anyMatch(ItemUse::isInTree)) {
            return Optional.of("it is in a type that contains itself, so the number of its chunks would have no bound");
        } else if (hasClause(type, typeClauses.bits().keySet())) {
            return Optional.of("it is a set of bits");
        } else if (isName(type)) {
            return Optional.of("text without a bound is usually a name or a path");
        } else if (!protocol.isBytes(type)) {
            return Optional.of("its elements are encoded one by one, so a chunk would save no copy");
        }
        return Optional.empty();
    }

    private boolean isName(XdrType type) {
        return isUnboundedString(type) || hasClause(type, typeClauses.texts());
    }

    /** Whether a clause gives another Java form to a type, or to one that it is a typedef of. */
    private boolean hasClause(XdrType type, Set<String> names) {
        XdrType at = type;
        while (at instanceof XdrType.Reference reference) {
            if (names.contains(reference.name())) {
                return true;
            }
            at = protocol.type(reference.name()) instanceof TypeDefinition.Typedef typedef
                    ? typedef.target()
                    : Primitive.VOID;
        }
        return false;
    }

    private static boolean isLarge(ChunkPlan.Size size, List<ItemUse> uses) {
        return !(size instanceof ChunkPlan.Size.Fixed fixed)
                || uses.stream().anyMatch(use -> fixed.bytes() > use.inlineLimit());
    }

    private boolean isUnboundedString(XdrType type) {
        return protocol.resolve(type) instanceof XdrType.StringType string && string.max() == XdrType.UNBOUNDED;
    }

    private String description(XdrType type) {
        boolean isFixed = type instanceof XdrType.FixedOpaque || type instanceof XdrType.FixedArray;
        return sizes.ofItem(type) instanceof ChunkPlan.Size.Fixed fixed
                ? kind(type) + (isFixed ? " of " : " of up to ") + String.format(Locale.ROOT, "%,d", fixed.bytes())
                        + " bytes"
                : kind(type) + " without a bound";
    }

    private String kind(XdrType type) {
        if (type instanceof XdrType.StringType) {
            return "string";
        } else if (type instanceof XdrType.Array) {
            return protocol.isBytes(type) ? "array of numbers" : "array";
        }
        return "opaque";
    }

    /** No argument is suggested as a size. Which one is that of a result, a protocol does not say, and a call fails if the result is larger. */
    private static String clauses(ChunkPlan.Size size, List<ItemUse> uses) {
        boolean needsSize =
                size instanceof ChunkPlan.Size.Unbounded && uses.stream().anyMatch(ItemUse::isResult);
        return needsSize ? "eligible; " + Candidate.UNBOUNDED : "eligible";
    }

    /**
     * The arguments or the results of a procedure that can have chunks.
     *
     * @param whole their use as a whole
     * @param items what could be eligible in them
     */
    private record ChunkedMessage(ItemUse whole, StreamOrder<Occurrence> items) {

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
}
