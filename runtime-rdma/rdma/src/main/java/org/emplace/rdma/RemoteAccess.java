// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A connection's grant of access to a range of local memory, made by {@link QueuePair#expose}. */
public interface RemoteAccess {
    /** A completed stage: the result of {@link #revoke} if the memory is already fenced. */
    CompletionStage<Void> FENCED = CompletableFuture.completedStage(null);

    /** What the peer may do with the memory: read it or write it, never both. */
    enum Right {
        /** The peer may post RDMA Reads. */
        REMOTE_READ,
        /** The peer may post RDMA Writes. */
        REMOTE_WRITE
    }

    /** The STag, offset and length to advertise to the peer. */
    RemoteSegment advertised();

    /**
     * Revokes the access and fences the memory (RFC 8166 section 4.4.1). The returned stage completes when the peer can
     * neither read nor write the memory, and no placement or Read Response is still in progress. If that takes too
     * long, the connection is closed first. After a remote invalidation, or when the connection is over, the stage
     * completes at once. It never completes exceptionally. Idempotent.
     *
     * @return {@link #FENCED} if the provider already knows that the memory is fenced
     */
    CompletionStage<Void> revoke();

    /**
     * A range of the peer's memory, as the peer advertised it.
     *
     * @param stag the steering tag (the handle of RFC 8166, the R_key of verbs)
     * @param offset the tagged offset of the first byte: 64 bits whose meaning only the peer knows
     * @param length the length in bytes, an unsigned 32-bit number
     */
    record RemoteSegment(int stag, long offset, long length) {

        /** Returns the total length of several segments in bytes. */
        public static long total(List<RemoteSegment> segments) {
            long bytes = 0;
            for (int i = 0; i < segments.size(); i++) {
                bytes += segments.get(i).length();
            }
            return bytes;
        }
    }
}
