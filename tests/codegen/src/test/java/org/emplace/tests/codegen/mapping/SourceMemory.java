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
    private final Area direct;
    private final Area registered;
    private final Function<Area.Slice, Payload> payload;
    private int items;

    /**
     * @param direct memory to take
     * @param registered registered memory to take, if there is any; otherwise direct memory
     * @param payload makes a payload of registered memory
     */
    SourceMemory(Draws draws, Area direct, Area registered, Function<Area.Slice, Payload> payload) {
        this.draws = draws;
        this.direct = direct;
        this.registered = registered;
        this.payload = payload;
    }

    @Override
    public @Nullable Payload chunkAt(long position, long length) {
        return null;
    }

    @Override
    public Payload inline(ByteBuffer stream, int length) {
        ByteBuffer bytes = stream.slice(stream.position(), length);
        Draws item = draws.at(items++);
        return switch (item.at("kind").below(6)) {
            case 3 -> in(direct, bytes, slice -> Payload.of(slice.bytes()));
            case 4 -> pieces(bytes, item);
            case 5 -> in(registered, bytes, payload);
            default -> Payload.of(bytes);
        };
    }

    private static Payload in(Area area, ByteBuffer bytes, Function<Area.Slice, Payload> made) {
        return area.take(bytes.remaining())
                .map(slice -> {
                    slice.bytes().put(bytes.duplicate());
                    return made.apply(slice);
                })
                .orElseGet(() -> Payload.of(bytes));
    }

    private Payload pieces(ByteBuffer bytes, Draws item) {
        List<Payload> pieces = new ArrayList<>();
        int from = 0;
        for (int i = 0; i < 3; i++) {
            int length =
                    i == 2 ? bytes.remaining() - from : item.at("piece").at(i).below(bytes.remaining() - from + 1);
            ByteBuffer piece = bytes.slice(from, length);
            pieces.add(
                    item.at("direct").at(i).oneIn(2)
                            ? in(direct, piece, slice -> Payload.of(slice.bytes()))
                            : Payload.of(piece));
            from += length;
        }
        return Payload.of(pieces);
    }
}
