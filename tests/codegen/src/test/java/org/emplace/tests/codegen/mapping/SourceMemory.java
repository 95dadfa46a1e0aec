// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen.mapping;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.emplace.xdr.EligibleItems;
import org.emplace.xdr.Payload;
import org.jspecify.annotations.Nullable;

/** Puts the payloads of a value into memory of different kinds, from which they are sent. */
final class SourceMemory implements EligibleItems {
    private final Draws draws;
    private final List<Area> areas;
    private final Function<Area.Slice, @Nullable Payload> registered;
    private int items;

    /**
     * @param areas memory to take, one of which is registered
     * @param registered makes a payload of registered memory
     */
    SourceMemory(Draws draws, List<Area> areas, Function<Area.Slice, @Nullable Payload> registered) {
        this.draws = draws;
        this.areas = areas;
        this.registered = registered;
    }

    @Override
    public @Nullable Payload chunkAt(long position, long length) {
        return null;
    }

    @Override
    public Payload inline(ByteBuffer bytes) {
        Draws item = draws.at(items++);
        return switch (item.at("kind").below(6)) {
            case 3 -> Payload.of(direct(bytes));
            case 4 -> pieces(bytes, item);
            case 5 -> areas.isEmpty() ? Payload.of(direct(bytes)) : inArea(bytes);
            default -> Payload.of(bytes);
        };
    }

    private Payload inArea(ByteBuffer bytes) {
        return areas.get(areas.size() - 1)
                .take(bytes.remaining())
                .map(slice -> {
                    slice.bytes().put(bytes.duplicate());
                    return registered.apply(slice);
                })
                .orElseGet(() -> Payload.of(bytes));
    }

    private static Payload pieces(ByteBuffer bytes, Draws item) {
        List<Payload> pieces = new ArrayList<>();
        int from = 0;
        for (int i = 0; i < 3; i++) {
            int length = i == 2
                    ? bytes.remaining() - from
                    : item.at("piece").at(i).below(bytes.remaining() - from + 1);
            ByteBuffer piece = bytes.slice(from, length);
            pieces.add(Payload.of(item.at("direct").at(i).oneIn(2) ? direct(piece) : piece));
            from += length;
        }
        return Payload.of(pieces);
    }

    private static ByteBuffer direct(ByteBuffer bytes) {
        return ByteBuffer.allocateDirect(bytes.remaining()).put(bytes.duplicate()).flip();
    }
}
