// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.transport;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.emplace.xdr.ChunkMark;
import org.emplace.xdr.ChunkMark.PayloadMark;
import org.emplace.xdr.EncodedMessage;
import org.emplace.xdr.Payload;

/**
 * A payload whose bytes a transport has not yet fetched from the peer. A call that passes it on waits for the bytes
 * without blocking a thread.
 */
public interface RemotePayload extends Payload {

    /**
     * Starts to fetch the bytes. The stage completes in bounded time, normally or not, when {@link #buffer} no longer
     * blocks.
     */
    CompletionStage<?> fetched();

    /**
     * Fetches all remote payloads of a message.
     *
     * @param next run when all have been fetched or have failed: on this thread if that is already the case, otherwise
     *     by {@code otherwise}
     */
    static void whenHere(EncodedMessage message, Runnable next, Executor otherwise) {
        List<CompletableFuture<?>> fetches = new ArrayList<>();
        for (ChunkMark mark : message.marks()) {
            if (mark instanceof PayloadMark item) {
                Payload payload = item.payload();
                for (int i = 0; i < payload.pieceCount(); i++) {
                    if (payload.piece(i) instanceof RemotePayload remote) {
                        fetches.add(remote.fetched().toCompletableFuture());
                    }
                }
            }
        }
        CompletableFuture<Void> here = CompletableFuture.allOf(fetches.toArray(CompletableFuture<?>[]::new));
        if (here.isDone()) {
            next.run();
        } else {
            CompletionStage<Void> later = here;
            later.whenCompleteAsync((done, failure) -> next.run(), otherwise);
        }
    }

    /** Whether a message has a remote payload. */
    static boolean isIn(EncodedMessage message) {
        if (message.marks().isEmpty()) {
            return false;
        }
        for (ChunkMark mark : message.marks()) {
            if (mark instanceof PayloadMark item && hasPiece(item.payload())) {
                return true;
            }
        }
        return false;
    }

    private static boolean hasPiece(Payload payload) {
        for (int i = 0; i < payload.pieceCount(); i++) {
            if (payload.piece(i) instanceof RemotePayload) {
                return true;
            }
        }
        return false;
    }
}
