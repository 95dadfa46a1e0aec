// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.transport;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.emplace.xdr.EncodedMessage.ChunkMark.PayloadMark;
import org.emplace.xdr.EncodedMessage;
import org.emplace.xdr.Payload;
import org.jspecify.annotations.Nullable;

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
     * Starts to fetch the remote payloads of a message.
     *
     * @return completes when all have been fetched or have failed; null if that is already the case
     */
    static @Nullable CompletionStage<?> fetchAll(EncodedMessage message) {
        List<CompletableFuture<?>> fetches = List.of();
        for (int i = 0; i < message.marks().size(); i++) {
            if (message.marks().get(i) instanceof PayloadMark item) {
                Payload payload = item.payload();
                for (int j = 0; j < payload.pieceCount(); j++) {
                    if (payload.piece(j) instanceof RemotePayload remote) {
                        fetches = fetches.isEmpty() ? new ArrayList<>(1) : fetches;
                        fetches.add(remote.fetched().toCompletableFuture());
                    }
                }
            }
        }
        if (fetches.isEmpty()) {
            return null;
        }
        CompletableFuture<Void> all = CompletableFuture.allOf(fetches.toArray(CompletableFuture<?>[]::new));
        return all.isDone() ? null : all;
    }
}
