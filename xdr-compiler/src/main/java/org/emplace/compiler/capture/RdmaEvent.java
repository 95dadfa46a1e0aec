// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.capture;

import java.nio.ByteBuffer;
import java.util.Optional;

/** An operation seen on one side of a connection, whatever transport carries it. */
sealed interface RdmaEvent {

    /** Takes the events of a connection, in order. */
    interface Sink {
        /**
         * Takes one event.
         *
         * @param nanoseconds when it was captured
         */
        void happened(long nanoseconds, Side side, RdmaEvent event);
    }

    /** The two ends of a connection. */
    enum Side {
        /** The one seen to send first: the client, if the beginning was captured. */
        FIRST,
        SECOND;

        Side other() {
            return this == FIRST ? SECOND : FIRST;
        }
    }

    /**
     * A message that sets the connection up.
     *
     * @param isRequest whether it asks for the connection, as a client does
     */
    record Setup(boolean isRequest, ByteBuffer privateData) implements RdmaEvent {}

    /** A whole message. */
    record Send(ByteBuffer bytes) implements RdmaEvent {}

    /**
     * A part of an RDMA Write.
     *
     * @param data its bytes, or as many of them as were captured
     * @param isLast whether it ends the operation
     */
    record Write(int handle, long offset, int length, ByteBuffer data, boolean isLast) implements RdmaEvent {}

    /** An RDMA Read request, by the side that will get the bytes. */
    record ReadRequest(int handle, long offset, long length) implements RdmaEvent {}

    /** A part of the answer, by the side that owns the memory; handle and offset are of this memory. */
    record ReadResponse(int handle, long offset, int length, ByteBuffer data) implements RdmaEvent {}

    /** Something to report that is not a message. */
    record Remark(String text) implements RdmaEvent {}

    /** The capture lacks something that this side sent. */
    record Loss(String text) implements RdmaEvent {}

    /** The thresholds that RFC 8797 defines, in bytes. */
    record Thresholds(int send, int receive) {
        private static final int MAGIC = 0xf6ab0e18;
        private static final int LENGTH = 8;
        private static final int UNIT = 1024;

        /** Those in private data, where other bytes may precede them. */
        static Optional<Thresholds> in(ByteBuffer privateData) {
            for (int at = 0; at + LENGTH <= privateData.limit(); at++) {
                if (privateData.getInt(at) == MAGIC && privateData.get(at + 4) == 1) {
                    return Optional.of(new Thresholds(bytes(privateData.get(at + 6)), bytes(privateData.get(at + 7))));
                }
            }
            return Optional.empty();
        }

        private static int bytes(byte coded) {
            return (Byte.toUnsignedInt(coded) + 1) * UNIT;
        }
    }
}
