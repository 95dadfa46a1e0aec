// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.time.Duration;
import java.util.Optional;

/**
 * Is told of every call that a connection completes, for statistics. With a client ({@link org.emplace.Rpc#client}) it is told each time that a call is
 * made, and of the calls of procedure 0 that check whether the peer is there. Called on the connection's threads; must not block.
 */
@FunctionalInterface
public interface CallObserver {

    /** Ignores everything. */
    CallObserver NONE = report -> {};

    /**
     * A call is being made. Called on the thread that makes it: the caller's, except for procedure 0 and calls that are resent.
     *
     * @return is told of this call's completion in place of this observer
     */
    default CallObserver starting(Procedure<?, ?> procedure) {
        return this;
    }

    /** A call has completed, well or not. */
    void completed(CallReport report);

    /**
     * What one call moved, and how.
     *
     * @param procedure which
     * @param inlineBytes RPC message bytes sent and received in Sends (over TCP: all)
     * @param readChunkBytes argument bytes that the peer pulled as Read chunks at other positions than zero
     * @param positionZeroBytes call bytes that the peer pulled by the Position Zero Read chunk
     * @param writeChunkBytes result bytes that the peer placed by Write chunks
     * @param replyChunkBytes reply bytes that the peer placed in the Reply chunk
     * @param copies how often our code copied payload bytes from one buffer to another
     * @param copiedBytes how many bytes these copies moved
     * @param elapsed from the call's start to its completion
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
            Duration elapsed,
            Optional<RpcException.Kind> failure) {

        /** Whether the call has a decoded result. */
        public boolean succeeded() {
            return failure.isEmpty();
        }
    }
}
