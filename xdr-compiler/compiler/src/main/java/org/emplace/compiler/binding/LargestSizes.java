// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.binding;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.emplace.compiler.model.Protocol;
import org.emplace.compiler.model.Target;
import org.emplace.compiler.model.TypeDefinition;
import org.emplace.compiler.model.XdrType;

/** The largest encoded sizes of types, without the bytes of eligible items. */
public final class LargestSizes {

    /** Stands for no bound; no message is this long. */
    private static final long ENDLESS = XdrType.UNBOUNDED;

    private final Map<String, Long> known = new HashMap<>();
    private final Set<String> entered = new HashSet<>();
    private final Protocol protocol;
    private final Set<Target.Item> eligible;

    LargestSizes(Protocol protocol, Set<Target.Item> eligible) {
        this.protocol = protocol;
        this.eligible = eligible;
    }

    /** The sizes of types, eligible items included. */
    public static LargestSizes ofWhole(Protocol protocol) {
        return new LargestSizes(protocol, Set.of());
    }

    /** The sizes of types without the bytes of these items. */
    public static LargestSizes without(Protocol protocol, List<ChunkPlan.EligibleItem> items) {
        return new LargestSizes(
                protocol, items.stream().map(ChunkPlan.EligibleItem::item).collect(Collectors.toUnmodifiableSet()));
    }

    /** The largest encoded size of a type. */
    public ChunkPlan.Size of(XdrType type) {
        return size(encoded(type));
    }

    /** The largest number of bytes that the chunk of an eligible item holds: without its count or flag, and without padding. */
    public ChunkPlan.Size ofItem(XdrType type) {
        XdrType resolved = protocol.resolve(type);
        if (resolved instanceof XdrType.FixedOpaque opaque) {
            return size(opaque.size());
        } else if (resolved instanceof XdrType.VariableOpaque opaque) {
            return size(opaque.max());
        } else if (resolved instanceof XdrType.StringType string) {
            return size(string.max());
        }
        long whole = encoded(resolved);
        return size(whole == ENDLESS ? ENDLESS : whole - inlinePart(resolved));
    }

    private static ChunkPlan.Size size(long bytes) {
        return bytes >= ENDLESS ? new ChunkPlan.Size.Unbounded() : new ChunkPlan.Size.Fixed(bytes);
    }

    private long encoded(XdrType type) {
        if (type instanceof XdrType.Primitive primitive) {
            return primitive.encodedSize();
        } else if (type instanceof XdrType.FixedOpaque opaque) {
            return padded(opaque.size());
        } else if (type instanceof XdrType.VariableOpaque opaque) {
            return plus(Integer.BYTES, padded(opaque.max()));
        } else if (type instanceof XdrType.StringType string) {
            return plus(Integer.BYTES, padded(string.max()));
        } else if (type instanceof XdrType.FixedArray array) {
            return times(array.size(), encoded(array.element()));
        } else if (type instanceof XdrType.VariableArray array) {
            return plus(Integer.BYTES, times(array.max(), encoded(array.element())));
        } else if (type instanceof XdrType.Optional optional) {
            return plus(Integer.BYTES, encoded(optional.element()));
        } else {
            return definition(((XdrType.Reference) type).name());
        }
    }

    private long definition(String name) {
        Long size = known.get(name);
        if (size != null) {
            return size;
        }
        if (!entered.add(name)) {
            return ENDLESS;
        }
        TypeDefinition definition = protocol.type(name);
        long computed;
        if (definition instanceof TypeDefinition.Typedef typedef) {
            computed = encoded(typedef.target());
        } else if (definition instanceof TypeDefinition.Enumeration) {
            computed = Integer.BYTES;
        } else if (definition instanceof TypeDefinition.Structure structure) {
            computed = structure.fields().stream()
                    .mapToLong(field -> member(name, field))
                    .reduce(0, LargestSizes::plus);
        } else {
            computed = plus(Integer.BYTES, largestArm(name, (TypeDefinition.Union) definition));
        }
        entered.remove(name);
        known.put(name, computed);
        return computed;
    }

    private long largestArm(String name, TypeDefinition.Union union) {
        long largest = union.members().stream()
                .mapToLong(field -> member(name, field))
                .max()
                .orElse(0);
        return Math.min(largest, ENDLESS);
    }

    private long member(String holder, TypeDefinition.Field field) {
        return eligible.contains(new Target.Item(holder, field.name()))
                ? inlinePart(protocol.resolve(field.type()))
                : encoded(field.type());
    }

    /** The bytes of an eligible item that stay inline: the count of a counted item, or the flag of an optional one. */
    private static long inlinePart(XdrType resolved) {
        return resolved.isCounted() ? Integer.BYTES : 0;
    }

    private static long padded(long bytes) {
        return bytes >= ENDLESS ? ENDLESS : (bytes + 3) & ~3L;
    }

    private static long plus(long a, long b) {
        return Math.min(ENDLESS, a + b);
    }

    private static long times(long count, long size) {
        if (count >= ENDLESS || size >= ENDLESS) {
            return count == 0 ? 0 : ENDLESS;
        }
        return size != 0 && count > ENDLESS / size ? ENDLESS : count * size;
    }
}
