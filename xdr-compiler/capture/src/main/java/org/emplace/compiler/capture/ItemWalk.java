// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.capture;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.emplace.compiler.binding.ChunkPlan.EligibleItem;
import org.emplace.compiler.binding.StreamOrder;
import org.emplace.compiler.capture.MessageStream.Undecodable;
import org.emplace.compiler.model.Protocol;
import org.emplace.compiler.model.Target;
import org.emplace.compiler.model.TypeDefinition;
import org.emplace.compiler.model.XdrType;

/**
 * Walks through the arguments or results of a message by their definition, and asks at each item whether a chunk carries it. Keeps no values: only counts,
 * flags and discriminants matter.
 */
final class ItemWalk {
    /** Deeper than any real protocol. The elements of a list do not nest. */
    private static final int DEEPEST = 400;

    private final Protocol protocol;
    private final MessageStream in;
    private final Chunks chunks;
    /** The items in each recursive type where it was first reached, which are those in the elements of a list. */
    private final Map<String, StreamOrder<EligibleItem>> entered = new HashMap<>();

    private Optional<String> status = Optional.empty();
    private String at = "";
    private long begin;
    private int depth;

    /** Knows what chunks carry. */
    interface Chunks {
        /**
         * Reports an item, after its count or flag.
         *
         * @param isEligible whether the binding lets a chunk carry it here
         * @param length in bytes, without padding; negative if only its chunk has it
         * @return whether a chunk carries it and was skipped
         */
        boolean carry(String item, boolean isEligible, long length, MessageStream in);
    }

    ItemWalk(Protocol protocol, MessageStream in, Chunks chunks) {
        this.protocol = protocol;
        this.in = in;
        this.chunks = chunks;
    }

    /**
     * Walks through one argument, or the results.
     *
     * @param order the eligible items in it
     */
    void through(XdrType type, StreamOrder<EligibleItem> order, String name) throws Undecodable {
        begin = in.position();
        value(type, order, name);
    }

    /** The name of the item being read, or last read. */
    String at() {
        return at;
    }

    /** The enumerator that results begin with, if any: in most protocols the call's status. */
    Optional<String> status() {
        return status;
    }

    private void value(XdrType type, StreamOrder<EligibleItem> order, String name) throws Undecodable {
        at = name;
        boolean isEligible = order instanceof StreamOrder.Item;
        XdrType resolved = protocol.resolve(type);
        if (resolved instanceof XdrType.Primitive primitive) {
            in.skip(primitive.encodedSize());
        } else if (resolved instanceof XdrType.FixedOpaque opaque) {
            bytes(name, isEligible, opaque.size());
        } else if (resolved instanceof XdrType.VariableOpaque opaque) {
            bytes(name, isEligible, in.readCount(opaque.max()));
        } else if (resolved instanceof XdrType.StringType string) {
            bytes(name, isEligible, in.readCount(string.max()));
        } else if (resolved instanceof XdrType.VariableArray array) {
            elements(array.element(), in.readCount(array.max()), order, name);
        } else if (resolved instanceof XdrType.FixedArray array) {
            elements(array.element(), array.size(), order, name);
        } else if (resolved instanceof XdrType.Optional optional) {
            StreamOrder<EligibleItem> content = order.content();
            if (flag() && !(content instanceof StreamOrder.Item && chunks.carry(name, true, -1, in))) {
                // The same item, for which a chunk was already looked up.
                value(optional.element(), content instanceof StreamOrder.Item ? StreamOrder.none() : content, name);
            }
        } else if (!(isEligible && chunks.carry(name, true, -1, in))) {
            definition(protocol.type(((XdrType.Reference) resolved).name()), order);
        }
    }

    private void bytes(String name, boolean isEligible, long length) throws Undecodable {
        if (!chunks.carry(name, isEligible, length, in)) {
            in.skip(MessageStream.padded(length));
        }
    }

    private void elements(XdrType element, long count, StreamOrder<EligibleItem> order, String name)
            throws Undecodable {
        boolean isEligible = order instanceof StreamOrder.Item;
        XdrType resolved = protocol.resolve(element);
        boolean isNumber = resolved instanceof XdrType.Primitive;
        long length = resolved instanceof XdrType.Primitive number ? number.encodedSize() * count : count == 0 ? 0 : -1;
        if (isEligible && chunks.carry(name, true, length, in)) {
            return;
        }
        if (isNumber) {
            in.skip(length);
            return;
        }
        if (count > in.remaining()) {
            throw new Undecodable("%s has %,d elements, more than the message has bytes", name, count);
        }
        for (long i = 0; i < count; i++) {
            deeper(element, order.content(), name);
        }
    }

    private void deeper(XdrType type, StreamOrder<EligibleItem> order, String name) throws Undecodable {
        if (++depth > DEEPEST) {
            throw new Undecodable("%s is nested more than %d deep", name, DEEPEST);
        }
        value(type, order, name);
        depth--;
    }

    private void definition(TypeDefinition definition, StreamOrder<EligibleItem> order) throws Undecodable {
        StreamOrder<EligibleItem> first = entered.getOrDefault(definition.name(), order);
        boolean isOutermost = entered.putIfAbsent(definition.name(), order) == null;
        if (definition instanceof TypeDefinition.Enumeration) {
            enumerator(definition, in.readInt());
        } else if (definition instanceof TypeDefinition.Structure structure) {
            structure(structure, first);
        } else if (definition instanceof TypeDefinition.Union union) {
            union(union, first);
        }
        if (isOutermost) {
            entered.remove(definition.name());
        }
    }

    /** Lists can be long, so a loop reads the elements instead of recursion. What follows their links comes after all of them. */
    private void structure(TypeDefinition.Structure structure, StreamOrder<EligibleItem> order) throws Undecodable {
        List<TypeDefinition.Field> fields = structure.fields();
        OptionalInt link = protocol.link(structure);
        boolean isList =
                link.isPresent() && protocol.resolve(fields.get(link.getAsInt()).type()) instanceof XdrType.Optional;
        int end = isList ? link.getAsInt() : fields.size();
        long elements = 0;
        do {
            fields(structure, fields.subList(0, end), order);
            elements++;
        } while (isList && flag());
        while (isList && elements-- > 0) {
            fields(structure, fields.subList(end + 1, fields.size()), order);
        }
    }

    private void fields(TypeDefinition holder, List<TypeDefinition.Field> fields, StreamOrder<EligibleItem> order)
            throws Undecodable {
        for (TypeDefinition.Field field : fields) {
            field(holder, field, order);
        }
    }

    private void field(TypeDefinition holder, TypeDefinition.Field field, StreamOrder<EligibleItem> order)
            throws Undecodable {
        deeper(field.type(), order.member(field.name()), new Target.Item(holder.name(), field.name()).toString());
    }

    private void union(TypeDefinition.Union union, StreamOrder<EligibleItem> order) throws Undecodable {
        at = new Target.Item(union.name(), union.discriminant().name()).toString();
        XdrType type = protocol.resolve(union.discriminant().type());
        int read = in.readInt();
        long value = type == XdrType.Primitive.UNSIGNED_INT ? Integer.toUnsignedLong(read) : read;
        if (type instanceof XdrType.Reference reference) {
            enumerator(protocol.type(reference.name()), read);
        }
        Optional<TypeDefinition.Arm> arm = union.arm(value);
        if (arm.isEmpty()) {
            throw new Undecodable("%s is %d, for which %s has no arm", at, value, union.name());
        }
        Optional<TypeDefinition.Field> field = arm.get().field();
        if (field.isPresent()) {
            field(union, field.get(), order);
        }
    }

    private void enumerator(TypeDefinition definition, int value) {
        if (in.position() == begin + 4 && definition instanceof TypeDefinition.Enumeration enumeration) {
            status = enumeration.enumerators().stream()
                    .filter(each -> each.value() == value)
                    .map(TypeDefinition.Enumerator::name)
                    .findFirst();
        }
    }

    private boolean flag() throws Undecodable {
        int flag = in.readInt();
        if (flag != 0 && flag != 1) {
            throw new Undecodable("%s: a flag is %s", at, Integer.toUnsignedString(flag));
        }
        return flag == 1;
    }
}
