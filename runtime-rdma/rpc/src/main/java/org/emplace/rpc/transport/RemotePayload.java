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

/** A payload whose bytes a transport has yet to fetch from the peer. A call that passes it on waits for the bytes without occupying a thread. */
public interface RemotePayload extends Payload {

    /** Begins to fetch the bytes. The stage completes, in bounded time and however, when {@link #buffer} no longer blocks. */
    CompletionStage<?> fetched();

    /**
     * Fetches all such payloads of a message.
     *
     * @param next run when the bytes are here or cannot be had: by this thread if that is so already, else by {@code otherwise}
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

    /** Whether any payload of a message has yet to be fetched. */
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
