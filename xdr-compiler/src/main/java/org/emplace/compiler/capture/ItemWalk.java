// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.capture;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import org.emplace.compiler.binding.ChunkPlan.EligibleItem;
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
    /** Stands for the elements of an array or list in the path of an eligible item. */
    private static final String ELEMENTS = "[]";

    /** Deeper than any real protocol. The elements of a list do not nest. */
    private static final int DEEPEST = 400;

    private final Protocol protocol;
    private final Set<List<String>> eligible;
    private final MessageStream in;
    private final Chunks chunks;
    /** The path at which each recursive type was first reached: the chunk plan lists the items below it only once. */
    private final Map<String, List<String>> entered = new HashMap<>();

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

    /** @param items the eligible items */
    ItemWalk(Protocol protocol, List<EligibleItem> items, MessageStream in, Chunks chunks) {
        this.protocol = protocol;
        this.eligible = items.stream().map(EligibleItem::path).collect(Collectors.toSet());
        this.in = in;
        this.chunks = chunks;
    }

    /** Walks through one argument, or the results. */
    void through(XdrType type, String name) throws Undecodable {
        begin = in.position();
        value(type, List.of(), name);
    }

    /** The name of the item being read, or last read. */
    String at() {
        return at;
    }

    /** The enumerator that results begin with, if any: in most protocols the call's status. */
    Optional<String> status() {
        return status;
    }

    private void value(XdrType type, List<String> path, String name) throws Undecodable {
        value(type, path, name, eligible.contains(path));
    }

    private void value(XdrType type, List<String> path, String name, boolean isEligible) throws Undecodable {
        at = name;
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
            elements(array.element(), in.readCount(array.max()), path, name, isEligible);
        } else if (resolved instanceof XdrType.FixedArray array) {
            elements(array.element(), array.size(), path, name, isEligible);
        } else if (resolved instanceof XdrType.Optional optional) {
            if (flag() && !(isEligible && chunks.carry(name, true, -1, in))) {
                // The same item, for which a chunk was already looked up.
                value(optional.element(), path, name, false);
            }
        } else if (!(isEligible && chunks.carry(name, true, -1, in))) {
            definition(protocol.type(((XdrType.Reference) resolved).name()), path);
        }
    }

    private void bytes(String name, boolean isEligible, long length) throws Undecodable {
        if (!chunks.carry(name, isEligible, length, in)) {
            in.skip(MessageStream.padded(length));
        }
    }

    private void elements(XdrType element, long count, List<String> path, String name, boolean isEligible)
            throws Undecodable {
        XdrType resolved = protocol.resolve(element);
        boolean isNumber = resolved instanceof XdrType.Primitive;
        long length = resolved instanceof XdrType.Primitive number ? number.encodedSize() * count : -1;
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
        List<String> here = extended(path, ELEMENTS);
        for (long i = 0; i < count; i++) {
            deeper(element, here, name);
        }
    }

    private void deeper(XdrType type, List<String> path, String name) throws Undecodable {
        if (++depth > DEEPEST) {
            throw new Undecodable("%s is nested more than %d deep", name, DEEPEST);
        }
        value(type, path, name);
        depth--;
    }

    private void definition(TypeDefinition definition, List<String> path) throws Undecodable {
        List<String> first = entered.getOrDefault(definition.name(), path);
        boolean isOutermost = entered.putIfAbsent(definition.name(), path) == null;
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

    /** Lists can be long, so if the link comes last, a loop reads the next element instead of recursion. */
    private void structure(TypeDefinition.Structure structure, List<String> path) throws Undecodable {
        OptionalInt link = protocol.link(structure);
        List<TypeDefinition.Field> fields = structure.fields();
        boolean isList = link.isPresent()
                && link.getAsInt() == fields.size() - 1
                && protocol.resolve(fields.get(link.getAsInt()).type()) instanceof XdrType.Optional;
        List<String> here = link.isPresent() ? extended(path, ELEMENTS) : path;
        do {
            for (TypeDefinition.Field field : isList ? fields.subList(0, fields.size() - 1) : fields) {
                field(structure, field, here);
            }
        } while (isList && flag());
    }

    private void field(TypeDefinition holder, TypeDefinition.Field field, List<String> path) throws Undecodable {
        deeper(field.type(), extended(path, field.name()), new Target.Item(holder.name(), field.name()).toString());
    }

    private void union(TypeDefinition.Union union, List<String> path) throws Undecodable {
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
            field(union, field.get(), path);
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

    /** Paths matter only where something is eligible. */
    private List<String> extended(List<String> path, String name) {
        if (eligible.isEmpty()) {
            return path;
        }
        List<String> longer = new ArrayList<>(path);
        longer.add(name);
        return List.copyOf(longer);
    }
}
