// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.document;

import java.util.ArrayList;
import java.util.List;
import org.emplace.compiler.binding.ChunkPlan;
import org.emplace.compiler.binding.ChunkPlan.EligibleItem;
import org.emplace.compiler.binding.ChunkPlan.Size;
import org.emplace.compiler.binding.ChunkPosition;
import org.emplace.compiler.binding.LargestSizes;
import org.emplace.compiler.binding.StreamOrder;
import org.emplace.compiler.model.Program;
import org.emplace.compiler.model.Protocol;
import org.emplace.compiler.model.TypeDefinition;
import org.emplace.compiler.model.XdrType;

/** Splits the messages of a procedure into eligible items and the inline parts between them. */
final class MessageMaker {

    private final Protocol protocol;
    private final LargestSizes sizes;
    private final List<Message.Piece> pieces = new ArrayList<>();
    private int chunks;
    private boolean isRepeated;

    private MessageMaker(Protocol protocol) {
        this.protocol = protocol;
        this.sizes = LargestSizes.ofWhole(protocol);
    }

    static Message call(Protocol protocol, Program.Procedure procedure, ChunkPlan plan, Message.Limits limits) {
        MessageMaker maker = new MessageMaker(protocol);
        for (int i = 0; i < procedure.arguments().size(); i++) {
            maker.root(
                    "args",
                    procedure.arguments().get(i),
                    plan.arguments().member(procedure.argumentNames().get(i)));
        }
        return new Message(
                true,
                List.copyOf(maker.pieces),
                List.of(),
                inline(protocol, procedure, plan),
                plan.readChunkLimit(),
                limits);
    }

    static Message reply(Protocol protocol, Program.Procedure procedure, ChunkPlan plan, Message.Limits limits) {
        MessageMaker maker = new MessageMaker(protocol);
        maker.root("results", procedure.result(), plan.results());
        return new Message(
                false,
                List.copyOf(maker.pieces),
                ChunkPosition.of(plan),
                plan.replyBound(),
                plan.writeChunkLimit(),
                limits);
    }

    private static Size inline(Protocol protocol, Program.Procedure procedure, ChunkPlan plan) {
        LargestSizes withoutEligible =
                LargestSizes.without(protocol, plan.arguments().items());
        return procedure.arguments().stream().map(withoutEligible::of).reduce(new Size.Fixed(0), MessageMaker::sum);
    }

    /** Adds an argument or the results. The members of a struct are shown even if none is eligible. */
    private void root(String label, XdrType type, StreamOrder<EligibleItem> order) {
        XdrType resolved = protocol.resolve(type);
        if (resolved instanceof XdrType.Reference) {
            enter(label, resolved, order);
        } else {
            add(label, type, order);
        }
    }

    private void add(String label, XdrType type, StreamOrder<EligibleItem> order) {
        XdrType resolved = protocol.resolve(type);
        StreamOrder<EligibleItem> present = order instanceof StreamOrder.Option ? order.content() : order;
        if (present instanceof StreamOrder.Item<EligibleItem> item) {
            if (resolved.isCounted()) {
                inline((resolved instanceof XdrType.Optional ? "flag of " : "count of ") + label, new Size.Fixed(4));
            }
            pieces.add(new Message.Piece.Chunk(item.item(), ++chunks));
        } else if (!order.isEmpty()) {
            enter(label, resolved, order);
        } else if (type != XdrType.Primitive.VOID) {
            inline(label, sizes.of(type));
        }
    }

    private void enter(String label, XdrType type, StreamOrder<EligibleItem> order) {
        if (type instanceof XdrType.Array array) {
            if (type.isCounted()) {
                inline("count of " + label, new Size.Fixed(4));
            }
            each(label, array.element(), order.content());
        } else if (type instanceof XdrType.Optional optional) {
            inline("flag of " + label, new Size.Fixed(4));
            StreamOrder<EligibleItem> content = order.content();
            if (content instanceof StreamOrder.Repetition || content instanceof StreamOrder.Linked) {
                each(label, optional.element(), content);
            } else {
                add(label, optional.element(), content);
            }
        } else {
            TypeDefinition definition = protocol.type(((XdrType.Reference) type).name());
            if (definition instanceof TypeDefinition.Enumeration) {
                inline(label, sizes.of(type));
            } else if (definition instanceof TypeDefinition.Union union) {
                arms(union, order);
            } else if (definition instanceof TypeDefinition.Structure structure) {
                structure.fields().forEach(field -> add(field.name(), field.type(), order.member(field.name())));
            }
        }
    }

    /**
     * Adds the elements of an array. Their inline parts lie between as many chunks as there are elements, which a drawing cannot show as separate
     * pieces.
     */
    private void each(String label, XdrType element, StreamOrder<EligibleItem> order) {
        boolean before = isRepeated;
        isRepeated = true;
        add("each of " + label, element, order);
        isRepeated = before;
    }

    /** Adds the arms that contain eligible items. The others stay inline. */
    private void arms(TypeDefinition.Union union, StreamOrder<EligibleItem> order) {
        inline(union.discriminant().name(), new Size.Fixed(4));
        if (order.isEmpty()) {
            inline("one of its arms", rest(sizes.of(new XdrType.Reference(union.name()))));
            return;
        }
        union.members().stream()
                .filter(field -> !order.member(field.name()).isEmpty())
                .forEach(field -> add(field.name(), field.type(), order.member(field.name())));
    }

    private static Size rest(Size union) {
        return union instanceof Size.Fixed fixed ? new Size.Fixed(fixed.bytes() - 4) : union;
    }

    private void inline(String name, Size one) {
        Size size = isRepeated ? new Size.Unbounded() : one;
        int last = pieces.size() - 1;
        if (last >= 0 && pieces.get(last) instanceof Message.Piece.Inline before) {
            pieces.set(last, new Message.Piece.Inline(and(before.names(), name), sum(before.largest(), size)));
        } else {
            pieces.add(new Message.Piece.Inline(List.of(name), size));
        }
    }

    private static Size sum(Size a, Size b) {
        return a instanceof Size.Fixed first && b instanceof Size.Fixed second
                ? new Size.Fixed(first.bytes() + second.bytes())
                : new Size.Unbounded();
    }

    private static List<String> and(List<String> path, String name) {
        List<String> longer = new ArrayList<>(path);
        longer.add(name);
        return List.copyOf(longer);
    }
}
