// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma;

import java.util.List;
import java.util.OptionalInt;
import org.emplace.rdma.MemoryRegion.MemorySegment;
import org.emplace.rdma.RemoteAccess.RemoteSegment;
import org.emplace.rdma.WorkRequest.Completion.Operation;
import org.jspecify.annotations.Nullable;

/**
 * A request to a send queue, posted by {@link QueuePair#post}. Each has exactly one {@link Completion}, with the same
 * id.
 */
public sealed interface WorkRequest {

    /** The id, which the consumer chooses and the completion returns; need not be unique. */
    int id();

    /** The kind of request. */
    Operation operation();

    /** The local memory that the request reads or fills, in order. */
    List<MemorySegment> memory();

    /** The total length of this memory in bytes. */
    default long length() {
        return MemorySegment.total(memory());
    }

    /**
     * For the provider, before it starts the request: describes the rule that the request breaks, which then completes with LOCAL_ERROR. Null if
     * there is none.
     *
     * @param outboundReads the number of RDMA Reads that the peer answers at a time
     */
    default @Nullable String brokenRule(int outboundReads) {
        List<MemorySegment> named = memory();
        for (int i = 0; i < named.size(); i++) {
            if (!named.get(i).region().isOpen()) {
                return "a work request names deregistered memory";
            }
        }
        if (this instanceof Write write && write.length() > write.target().length()) {
            return "an RDMA Write is longer than its target";
        }
        if (this instanceof Read && outboundReads == 0) {
            return "an RDMA Read was posted, but the peer answers no RDMA Reads";
        }
        if (this instanceof Read read && read.sink().length() != read.source().length()) {
            return "an RDMA Read's sink has " + read.sink().length() + " bytes, but its source "
                    + read.source().length();
        }
        return null;
    }

    /**
     * Sends a message into the peer's next Receive.
     *
     * @param gather the pieces of the message in order; together no longer than the peer's next Receive
     * @param invalidate an STag of the peer to invalidate on arrival; allowed only if {@link QueuePair#sendsInvalidate}
     */
    record Send(int id, List<MemorySegment> gather, OptionalInt invalidate) implements WorkRequest {
        @Override
        public Operation operation() {
            return Operation.SEND;
        }

        @Override
        public List<MemorySegment> memory() {
            return gather;
        }
    }

    /**
     * Writes into the peer's memory. The peer's consumer gets no completion.
     *
     * @param gather the bytes to write, in order
     * @param target at least as long as the gathered bytes
     */
    record Write(int id, List<MemorySegment> gather, RemoteSegment target) implements WorkRequest {
        @Override
        public Operation operation() {
            return Operation.WRITE;
        }

        @Override
        public List<MemorySegment> memory() {
            return gather;
        }
    }

    /**
     * Reads from the peer's memory.
     *
     * @param sink exactly as long as the source
     * @param source the memory to read
     */
    record Read(int id, MemorySegment sink, RemoteSegment source) implements WorkRequest {
        @Override
        public Operation operation() {
            return Operation.READ;
        }

        @Override
        public List<MemorySegment> memory() {
            return List.of(sink);
        }

        @Override
        public long length() {
            return sink.length();
        }
    }

    /**
     * The outcome of a work request or a Receive.
     *
     * @param id the id of the request
     * @param operation the kind of the request
     * @param status {@link Status#SUCCESS} or the reason of the failure; after a failure the connection ends
     * @param length the number of bytes received, sent, written or read; 0 after a failure
     * @param invalidatedStag for a Receive, the local STag that the peer's Send with Invalidate named; empty if none
     */
    record Completion(int id, Operation operation, Status status, int length, OptionalInt invalidatedStag) {

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
}
