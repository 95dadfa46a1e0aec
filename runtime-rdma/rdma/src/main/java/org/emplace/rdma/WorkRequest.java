// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma;

import java.util.List;
import java.util.OptionalInt;
import org.emplace.rdma.Completion.Operation;

/** A request for a send queue. Every work request ends in exactly one {@link Completion} with its id. */
public sealed interface WorkRequest {

    /** A number that the consumer chooses and finds in the completion; need not be unique. */
    long id();

    /** The kind of request. */
    Operation operation();

    /** The local memory that it names, in order. */
    List<MemorySegment> memory();

    /** Bytes of local memory that it names. */
    default long length() {
        return MemorySegment.total(memory());
    }

    /**
     * Sends a message into the peer's next Receive.
     *
     * @param gather the message's pieces in order
     * @param invalidate the peer's STag to invalidate on arrival; only where {@link QueuePair#sendsInvalidate}
     */
    record Send(long id, List<MemorySegment> gather, OptionalInt invalidate) implements WorkRequest {
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
     * Writes into the peer's memory without the peer's consumer noticing.
     *
     * @param target at least as long as the gathered bytes
     */
    record Write(long id, List<MemorySegment> gather, RemoteSegment target) implements WorkRequest {
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
     * Reads the peer's memory.
     *
     * @param sink exactly as long as the source
     */
    record Read(long id, MemorySegment sink, RemoteSegment source) implements WorkRequest {
        @Override
        public Operation operation() {
            return Operation.READ;
        }

        @Override
        public List<MemorySegment> memory() {
            return List.of(sink);
        }
    }
}
