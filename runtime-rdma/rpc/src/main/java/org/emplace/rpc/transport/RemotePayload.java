// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.transport;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.emplace.xdr.ChunkMark;
import org.emplace.xdr.ChunkMark.PayloadMark;
import org.emplace.xdr.EncodedMessage;
import org.emplace.xdr.Payload;

/** A payload whose bytes a transport has yet to fetch from the peer. A call that passes it on waits for them without a thread. */
public interface RemotePayload extends Payload {

    /** Begins to fetch the bytes. The stage completes, in bounded time and however, when {@link #buffer} no longer blocks. */
    CompletionStage<?> fetched();

    /**
     * Fetches all such payloads of a message.
     *
     * @param next run when the bytes are here or cannot be had: by this thread if that is so already, else by {@code otherwise}
     */
    static void whenHere(EncodedMessage message, Runnable next, Executor otherwise) {
        CompletableFuture<Void> here = CompletableFuture.allOf(message.marks().stream()
                .map(mark -> mark instanceof PayloadMark item ? item.payload() : null)
                .filter(RemotePayload.class::isInstance)
                .map(payload -> ((RemotePayload) payload).fetched().toCompletableFuture())
                .toArray(CompletableFuture<?>[]::new));
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
            if (mark instanceof PayloadMark item && item.payload() instanceof RemotePayload) {
                return true;
            }
        }
        return false;
    }
}
