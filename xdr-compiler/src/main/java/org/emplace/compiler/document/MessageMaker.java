// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.document;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.emplace.compiler.binding.ChunkPlan;
import org.emplace.compiler.binding.ChunkPlan.EligibleItem;
import org.emplace.compiler.binding.ChunkPlan.Size;
import org.emplace.compiler.binding.LargestSizes;
import org.emplace.compiler.model.Program;
import org.emplace.compiler.model.Protocol;
import org.emplace.compiler.model.TypeDefinition;
import org.emplace.compiler.model.XdrType;

/** Splits the messages of a procedure into eligible items and the inline parts between them. */
final class MessageMaker {

    private static final String ELEMENTS = "[]";

    private final Protocol protocol;
    private final LargestSizes sizes;
    private final List<EligibleItem> eligible;
    private final List<Message.Piece> pieces = new ArrayList<>();
    private int chunks;
    private boolean isRepeated;

    private MessageMaker(Protocol protocol, List<EligibleItem> eligible) {
        this.protocol = protocol;
        this.sizes = LargestSizes.ofWhole(protocol);
        this.eligible = eligible;
    }

    static Message call(Protocol protocol, Program.Procedure procedure, ChunkPlan plan, Message.Limits limits) {
        MessageMaker maker = new MessageMaker(protocol, plan.arguments());
        procedure.arguments().forEach(type -> maker.add("args", type, List.of()));
        return new Message(
                true, List.copyOf(maker.pieces), inline(protocol, procedure, plan), plan.readChunkLimit(), limits);
    }

    static Message reply(Protocol protocol, Program.Procedure procedure, ChunkPlan plan, Message.Limits limits) {
        MessageMaker maker = new MessageMaker(protocol, plan.results());
        maker.add("results", procedure.result(), List.of());
        return new Message(false, List.copyOf(maker.pieces), plan.replyBound(), plan.writeChunkLimit(), limits);
    }

    private static Size inline(Protocol protocol, Program.Procedure procedure, ChunkPlan plan) {
        LargestSizes withoutEligible = LargestSizes.without(protocol, plan.arguments());
        return procedure.arguments().stream().map(withoutEligible::of).reduce(new Size.Fixed(0), MessageMaker::sum);
    }

    private void add(String label, XdrType type, List<String> path) {
        Optional<EligibleItem> item =
                eligible.stream().filter(each -> each.path().equals(path)).findFirst();
        XdrType resolved = protocol.resolve(type);
        if (item.isPresent()) {
            if (resolved.isCounted()) {
                inline((resolved instanceof XdrType.Optional ? "flag of " : "count of ") + label, new Size.Fixed(4));
            }
            pieces.add(new Message.Piece.Chunk(item.get(), ++chunks));
        } else if (path.isEmpty() && protocol.resolve(type) instanceof XdrType.Reference) {
            enter(label, resolved, path);
        } else if (eligible.stream().noneMatch(each -> startsWith(each.path(), path))) {
            if (type != XdrType.Primitive.VOID) {
                inline(label, sizes.of(type));
            }
        } else {
            enter(label, resolved, path);
        }
    }

    private void enter(String label, XdrType type, List<String> path) {
        if (type instanceof XdrType.Array array) {
            if (type.isCounted()) {
                inline("count of " + label, new Size.Fixed(4));
            }
            each(label, array.element(), path);
        } else if (type instanceof XdrType.Optional optional) {
            inline("flag of " + label, new Size.Fixed(4));
            boolean isList = eligible.stream().anyMatch(each -> startsWith(each.path(), and(path, ELEMENTS)));
            if (isList) {
                each(label, optional.element(), path);
            } else {
                add(label, optional.element(), path);
            }
        } else {
            TypeDefinition definition = protocol.type(((XdrType.Reference) type).name());
            if (definition instanceof TypeDefinition.Enumeration) {
                inline(label, sizes.of(type));
            } else if (definition instanceof TypeDefinition.Union union) {
                arms(union, path);
            } else if (definition instanceof TypeDefinition.Structure structure) {
                structure.fields().forEach(field -> add(field.name(), field.type(), and(path, field.name())));
            }
        }
    }

    /**
     * Adds the elements of an array. Their inline parts lie between as many chunks as there are elements, which a drawing cannot show as separate
     * pieces.
     */
    private void each(String label, XdrType element, List<String> path) {
        boolean before = isRepeated;
        isRepeated = true;
        add("each of " + label, element, and(path, ELEMENTS));
        isRepeated = before;
    }

    /** Adds the arms that contain eligible items. The others stay inline. */
    private void arms(TypeDefinition.Union union, List<String> path) {
        inline(union.discriminant().name(), new Size.Fixed(4));
        if (eligible.stream().noneMatch(each -> startsWith(each.path(), path))) {
            inline("one of its arms", rest(sizes.of(new XdrType.Reference(union.name()))));
            return;
        }
        union.arms().stream()
                .flatMap(arm -> arm.field().stream())
                .filter(field -> eligible.stream().anyMatch(each -> startsWith(each.path(), and(path, field.name()))))
                .forEach(field -> add(field.name(), field.type(), and(path, field.name())));
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

    private static boolean startsWith(List<String> path, List<String> beginning) {
        return path.size() >= beginning.size()
                && path.subList(0, beginning.size()).equals(beginning);
    }

    private static List<String> and(List<String> path, String name) {
        List<String> longer = new ArrayList<>(path);
        longer.add(name);
        return List.copyOf(longer);
    }
}
