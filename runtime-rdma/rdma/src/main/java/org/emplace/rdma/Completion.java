// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma;

import java.util.OptionalInt;

/**
 * How a work request or Receive ended.
 *
 * @param id the request's
 * @param operation the request's kind
 * @param status {@link Status#SUCCESS} or the reason of the failure; after a failure the connection ends
 * @param length bytes received; for other operations the bytes moved
 * @param invalidatedStag for a Receive: the local STag that the peer's Send invalidated
 */
public record Completion(long id, Operation operation, Status status, int length, OptionalInt invalidatedStag) {

    /** Kinds of work. */
    public enum Operation {
        RECEIVE,
        SEND,
        WRITE,
        READ
    }

    /** Outcomes. */
    public enum Status {
        SUCCESS,
        /** The request itself was wrong, for example because of a closed region, or a sink and a source of different lengths. */
        LOCAL_ERROR,
        /** The peer refused it: bad STag, out of bounds, no right. */
        REMOTE_ERROR,
        /** The connection ended before it ran. */
        FLUSHED
    }

    /** A successful completion without invalidation. */
    public static Completion success(long id, Operation operation, int length) {
        return new Completion(id, operation, Status.SUCCESS, length, OptionalInt.empty());
    }

    /** The completion of a work request that has moved all of its bytes. */
    public static Completion success(WorkRequest request) {
        return success(request.id(), request.operation(), (int) request.length());
    }

    /** The completion of a work request that did not succeed. */
    public static Completion failure(WorkRequest request, Status why) {
        return new Completion(request.id(), request.operation(), why, 0, OptionalInt.empty());
    }
}
