// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma;

import java.util.OptionalInt;

/**
 * The outcome of a work request or a Receive.
 *
 * @param id the id of the request
 * @param operation the kind of the request
 * @param status {@link Status#SUCCESS} or the reason of the failure; after a failure the connection ends
 * @param length the number of bytes received, sent, written or read; 0 after a failure
 * @param invalidatedStag for a Receive, the local STag that the peer's Send with Invalidate named; empty if none
 */
public record Completion(int id, Operation operation, Status status, int length, OptionalInt invalidatedStag) {

    /** The kinds of requests: a Receive, and those of {@link WorkRequest}. */
    public enum Operation {
        RECEIVE,
        SEND,
        WRITE,
        READ
    }

    /** The outcomes. */
    public enum Status {
        SUCCESS,
        /**
         * The request is invalid: for example, it names a closed region, or its sink and its source differ in length.
         */
        LOCAL_ERROR,
        /**
         * The peer rejected it: for example, the STag is invalid, the range is out of bounds, the right is missing, or
         * no Receive is posted for a Send.
         */
        REMOTE_ERROR,
        /** The connection ended before the request ran. */
        FLUSHED
    }

    /** Returns a successful completion without invalidation. */
    public static Completion success(int id, Operation operation, int length) {
        return new Completion(id, operation, Status.SUCCESS, length, OptionalInt.empty());
    }

    /** Returns the completion of a work request that has moved all its bytes. */
    public static Completion success(WorkRequest request) {
        return success(request.id(), request.operation(), (int) request.length());
    }

    /** Returns the completion of a work request that has failed or was flushed. */
    public static Completion failure(WorkRequest request, Status why) {
        return new Completion(request.id(), request.operation(), why, 0, OptionalInt.empty());
    }
}
