// SPDX-License-Identifier: Apache-2.0
package org.emplace.xdr;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A concatenation of several payloads, none empty and each with one piece. */
final class PiecedPayload implements Payload {
    private static final Payload EMPTY = new BufferPayload(ByteBuffer.allocate(0));

    private final List<Payload> pieces;
    private final int length;

    private PiecedPayload(List<Payload> pieces) {
        int total = 0;
        for (Payload piece : pieces) {
            total = Math.addExact(total, Math.toIntExact(piece.length()));
        }
        this.pieces = pieces;
        this.length = total;
    }

    static Payload of(List<? extends Payload> payloads) {
        List<Payload> pieces = new ArrayList<>(payloads.size());
        for (Payload payload : payloads) {
            for (int i = 0; i < payload.pieceCount(); i++) {
                Payload piece = payload.piece(i);
                if (piece.length() > 0) {
                    pieces.add(piece);
                }
            }
        }
        return switch (pieces.size()) {
            case 0 -> EMPTY;
            case 1 -> pieces.get(0);
            default -> new PiecedPayload(pieces);
        };
    }

    @Override
    public long length() {
        return length;
    }

    @Override
    public int pieceCount() {
        return pieces.size();
    }

    @Override
    public Payload piece(int index) {
        return pieces.get(index);
    }

    @Override
    public ByteBuffer buffer() throws IOException {
        ByteBuffer together = ByteBuffer.allocate(length);
        for (Payload piece : pieces) {
            together.put(piece.buffer());
        }
        return together.flip().asReadOnlyBuffer();
    }

    /** Completes once the fetches of all pieces have ended, even if one has failed. */
    @Override
    public CompletionStage<Void> fetchInto(ByteBuffer sink) {
        BufferPayload.requireRoom(sink, length);
        List<CompletableFuture<Void>> fetches = new ArrayList<>(pieces.size());
        int at = sink.position();
        for (Payload piece : pieces) {
            int bytes = (int) piece.length();
            fetches.add(fetch(piece, sink.slice(at, bytes)));
            at += bytes;
        }
        return CompletableFuture.allOf(fetches.toArray(CompletableFuture<?>[]::new))
                .minimalCompletionStage();
    }

    private static CompletableFuture<Void> fetch(Payload piece, ByteBuffer sink) {
        try {
            return piece.fetchInto(sink).toCompletableFuture();
        } catch (RuntimeException refused) {
            return CompletableFuture.failedFuture(refused);
        }
    }

    @Override
    public String toString() {
        return "Payload[" + length + " bytes in " + pieces.size() + " pieces]";
    }
}
