// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.time.Duration;
import java.util.Optional;

/**
 * Observes the calls of a connection, for statistics. For a client ({@link org.emplace.Rpc#client}), a call that is
 * resent is reported each time; calls of procedure 0, which check whether the peer responds, are reported too. The
 * methods of an observer must not block.
 */
@FunctionalInterface
public interface CallObserver {

    /** An observer that does nothing. */
    CallObserver NONE = report -> {};

    /**
     * A call is being made. Called on the thread that makes it: the caller's, except for procedure 0 and calls that are
     * resent.
     *
     * @return the observer of this call's completion; by default this one
     */
    default CallObserver starting(Procedure<?, ?> procedure) {
        return this;
    }

    /** A call has completed, successfully or not. Called on the connection's threads. */
    void completed(CallReport report);

    /**
     * What a call transferred, and how.
     *
     * @param procedure the procedure that was called
     * @param inlineBytes bytes of RPC messages sent and received inline; over TCP, all bytes
     * @param readChunkBytes argument bytes that the peer read as Read chunks, without the Position Zero Read chunk
     * @param positionZeroBytes bytes of the call that the peer read as the Position Zero Read chunk
     * @param writeChunkBytes result bytes that the peer wrote into Write chunks
     * @param replyChunkBytes bytes of the reply that the peer wrote into the Reply chunk
     * @param copies the number of times that the runtime copied payload bytes between buffers
     * @param copiedBytes the number of bytes that it copied
     * @param movedBytes how many of these were results that had landed in the memory for another element, because a result
     *     before them was absent, or an array or list had another number of elements than the call assumed
     * @param elapsed the time from the call's start to its completion
     * @param failure why the call failed; empty if it has a decoded result
     */
    record CallReport(
            Procedure<?, ?> procedure,
            long inlineBytes,
            long readChunkBytes,
            long positionZeroBytes,
            long writeChunkBytes,
            long replyChunkBytes,
            long copies,
            long copiedBytes,
            long movedBytes,
            Duration elapsed,
            Optional<RpcException.Kind> failure) {

        /** Whether the call has a decoded result. */
        public boolean succeeded() {
            return failure.isEmpty();
        }
    }
}
