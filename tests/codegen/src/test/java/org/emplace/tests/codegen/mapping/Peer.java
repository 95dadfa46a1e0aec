// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen.mapping;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.emplace.rpc.CallObserver.CallReport;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.Destination;
import org.emplace.rpc.RegisteredBuffer;
import org.emplace.rpc.RpcConnection;
import org.emplace.rpc.RpcException;
import org.emplace.tests.codegen.mapping.Area.Slice;
import org.emplace.tests.codegen.mapping.Plan.Kind;
import org.emplace.xdr.EligibleItems;
import org.jspecify.annotations.Nullable;

/** A connection to the server by one transport, and memory for its calls. */
final class Peer implements AutoCloseable {
    private final String name;
    private final ConnectionOptions options;
    private final RpcConnection connection;
    private final Transfers transfers;
    private final Map<Kind, Area> areas = new EnumMap<>(Kind.class);
    private final Area sources = new Area(true);
    private final Area directSources = new Area(true);
    private final RegisteredBuffer registered;
    private final RegisteredBuffer registeredSources;

    Peer(String name, ConnectionOptions options, RpcConnection connection, Transfers transfers) throws RpcException {
        this.name = name;
        this.options = options;
        this.connection = connection;
        this.transfers = transfers;
        areas.put(Kind.DIRECT, new Area(true));
        areas.put(Kind.HEAP, new Area(false));
        Area pinned = new Area(true);
        areas.put(Kind.REGISTERED, pinned);
        registered = connection.memory().register(pinned.memory());
        registeredSources = connection.memory().register(sources.memory());
    }

    /** The destination of an element as the caller named it, with its memory. */
    record Target(@Nullable Destination destination, List<Slice> slices) {

        /** Whether the first bytes of its memory are these. */
        boolean begins(ByteBuffer bytes) {
            List<ByteBuffer> pieces = new ArrayList<>();
            int left = bytes.remaining();
            for (Slice slice : slices) {
                int length = Math.min(left, slice.length());
                pieces.add(slice.bytes().slice(0, length));
                left -= length;
            }
            return Bytes.mismatch(bytes, pieces) < 0;
        }

        /** Whether the bytes after the first ones are as before the call. */
        boolean isUntouchedFrom(int length) {
            int from = length;
            for (Slice slice : slices) {
                int used = Math.min(from, slice.length());
                if (!slice.isUntouchedFrom(used)) {
                    return false;
                }
                from -= used;
            }
            return true;
        }

        /** Changes one of its bytes. */
        void flip(int index) {
            int at = index;
            for (Slice slice : slices) {
                if (at < slice.length()) {
                    ByteBuffer bytes = slice.bytes();
                    bytes.put(at, (byte) ~bytes.get(at));
                    return;
                }
                at -= slice.length();
            }
            throw new IndexOutOfBoundsException(index);
        }
    }

    RpcConnection connection() {
        return connection;
    }

    /** How the last call has moved its bytes. */
    CallReport last() {
        return transfers.last();
    }

    /** The most bytes that the client allocates for the results of a call by RDMA. */
    int maxMessage() {
        return options.maxMessage();
    }

    int inlineThreshold() {
        return options.inlineThreshold().orElseThrow();
    }

    boolean isTcp() {
        return name.startsWith("tcp");
    }

    /** Takes memory. */
    Slice take(Kind kind, int length) {
        return Objects.requireNonNull(areas.get(kind))
                .take(length)
                .orElseThrow(() -> new IllegalStateException("the memory of a peer is too small"));
    }

    /** Memory that has been taken, as a destination. */
    Destination destination(Kind kind, Slice slice) {
        return kind == Kind.REGISTERED
                ? Destination.into(registered, slice.offset(), slice.length())
                : Destination.into(slice.bytes());
    }

    /** Takes the memory of a destination. */
    Target target(Plan.Slot slot) {
        if (slot instanceof Plan.Pieces several) {
            List<Slice> slices = new ArrayList<>();
            List<Destination> pieces = new ArrayList<>();
            for (Plan.Piece piece : several.pieces()) {
                Slice slice = take(piece.kind(), piece.length());
                slices.add(slice);
                pieces.add(destination(piece.kind(), slice));
            }
            return new Target(pieces.size() == 1 ? pieces.get(0) : Destination.into(pieces), slices);
        }
        return new Target(slot instanceof Plan.Allocated ? Destination.allocate() : null, List.of());
    }

    /** Memory for the payloads of arguments. */
    EligibleItems sources(Draws draws) {
        return new SourceMemory(
                draws, directSources, sources, slice -> registeredSources.payload(slice.offset(), slice.length()));
    }

    /** What has been changed outside of the memory of destinations; null if nothing has. */
    @Nullable
    String damage() {
        for (Map.Entry<Kind, Area> each : areas.entrySet()) {
            int changed = each.getValue().firstChangedGuard();
            if (changed >= 0) {
                return "a guard byte of " + each.getKey() + " memory has changed, at " + changed;
            }
        }
        return null;
    }

    /** Takes all memory back. */
    void reset() {
        areas.values().forEach(Area::reset);
        sources.reset();
        directSources.reset();
    }

    @Override
    public void close() {
        registered.close();
        registeredSources.close();
        connection.close();
    }

    @Override
    public String toString() {
        return name;
    }
}
