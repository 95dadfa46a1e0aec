// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.program;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.emplace.samples.nfs.server.store.StoreException.Failure;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.xdr.Payload;

/**
 * A payload whose bytes may still be in the client's memory. If they cannot be fetched, the status is JUKEBOX, so that the client tries
 * again: no file is at fault.
 */
record FetchedPayload(Payload payload) implements Payload {
    @Override
    public long length() {
        return payload.length();
    }

    @Override
    public ByteBuffer buffer() throws IOException {
        try {
            return payload.buffer();
        } catch (IOException e) {
            throw notFetched(e);
        }
    }

    @Override
    public CompletionStage<Void> fetchInto(ByteBuffer sink) {
        return payload.fetchInto(sink).exceptionally(e -> {
            throw new CompletionException(notFetched(e));
        });
    }

    private static StoreException notFetched(Throwable reason) {
        return new StoreException(Failure.JUKEBOX, "the client's data could not be fetched: " + reason.getMessage());
    }
}
