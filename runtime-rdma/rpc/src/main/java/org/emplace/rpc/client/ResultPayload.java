// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.client;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.emplace.rpc.client.ResultItems.Landed;
import org.emplace.xdr.Payload;
import org.jspecify.annotations.Nullable;

/**
 * A payload in results that are being decoded: only when all have been decoded is it known which element it belongs to.
 * Then it is a view of that element's destination. Safe for use by several threads from then on, because it is published
 * with the results.
 */
final class ResultPayload implements Payload {
    private final @Nullable Landed chunk;
    private List<ByteBuffer> bytes;
    private final long length;
    private int item = -1;
    private int element;
    private @Nullable Payload settled;

    /** A payload in a Write chunk. */
    ResultPayload(Landed chunk) {
        this.chunk = chunk;
        this.bytes = chunk.bytes();
        this.length = chunk.length();
    }

    /** A payload in the message. */
    ResultPayload(ByteBuffer inMessage) {
        this.chunk = null;
        this.bytes = List.of(inMessage);
        this.length = inMessage.remaining();
    }

    /** The Write chunk where it has landed; null if it is in the message. */
    @Nullable
    Landed chunk() {
        return chunk;
    }

    void belongsTo(int ownItem, int ownElement) {
        item = ownItem;
        element = ownElement;
    }

    /** The item that the payload is; negative until it is known. */
    int item() {
        return item;
    }

    int element() {
        return element;
    }

    /** The pieces of memory where the payload is. */
    List<ByteBuffer> bytes() {
        return bytes;
    }

    /** Copies the payload out of the memory where it is. */
    void save() {
        ByteBuffer copy = ByteBuffer.allocate((int) length);
        bytes.forEach(piece -> copy.put(piece.duplicate()));
        bytes = List.of(copy.flip());
    }

    boolean isSettled() {
        return settled != null;
    }

    /** Sets the view of the destination. */
    void settle(Payload view) {
        settled = view;
        bytes = List.of();
    }

    private Payload view() {
        if (settled == null) {
            throw new IllegalStateException("the results have not been decoded");
        }
        return settled;
    }

    @Override
    public long length() {
        return length;
    }

    @Override
    public ByteBuffer buffer() throws IOException {
        return view().buffer();
    }

    @Override
    public CompletionStage<Void> fetchInto(ByteBuffer sink) {
        return view().fetchInto(sink);
    }

    @Override
    public int pieceCount() {
        return view().pieceCount();
    }

    @Override
    public Payload piece(int index) {
        return view().piece(index);
    }

    @Override
    public String toString() {
        return "Payload[" + length + " bytes]";
    }
}
