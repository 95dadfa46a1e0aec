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

    /** What a call transferred, and how. Immutable: each {@code with} returns another object. */
    final class CallReport {
        private final Procedure<?, ?> procedure;
        private final Duration elapsed;
        private final Optional<RpcException.Kind> failure;
        private final long inlineBytes;
        private final Chunks chunks;
        private final Copies copies;

        private record Chunks(long read, long positionZero, long write, long reply) {}

        private record Copies(long count, long bytes, long moved) {}

        private CallReport(
                Procedure<?, ?> procedure,
                Duration elapsed,
                Optional<RpcException.Kind> failure,
                long inlineBytes,
                Chunks chunks,
                Copies copies) {
            this.procedure = procedure;
            this.elapsed = elapsed;
            this.failure = failure;
            this.inlineBytes = inlineBytes;
            this.chunks = chunks;
            this.copies = copies;
        }

        /**
         * Creates the report of a call that transferred nothing.
         *
         * @param procedure the procedure that was called
         * @param elapsed the time from the call's start to its completion
         * @param failure why the call failed; empty if it has a decoded result
         */
        public static CallReport of(Procedure<?, ?> procedure, Duration elapsed, Optional<RpcException.Kind> failure) {
            return new CallReport(procedure, elapsed, failure, 0, new Chunks(0, 0, 0, 0), new Copies(0, 0, 0));
        }

        /** The procedure that was called. */
        public Procedure<?, ?> procedure() {
            return procedure;
        }

        /** The time from the call's start to its completion. */
        public Duration elapsed() {
            return elapsed;
        }

        /** Why the call failed; empty if it has a decoded result. */
        public Optional<RpcException.Kind> failure() {
            return failure;
        }

        /** Whether the call has a decoded result. */
        public boolean succeeded() {
            return failure.isEmpty();
        }

        /** Bytes of RPC messages sent and received inline; over TCP, all bytes. */
        public long inlineBytes() {
            return inlineBytes;
        }

        /** See {@link #inlineBytes}. */
        public CallReport withInlineBytes(long bytes) {
            return new CallReport(procedure, elapsed, failure, bytes, chunks, copies);
        }

        /** Argument bytes that the peer read as Read chunks, without the Position Zero Read chunk. */
        public long readChunkBytes() {
            return chunks.read;
        }

        /** Bytes of the call that the peer read as the Position Zero Read chunk. */
        public long positionZeroBytes() {
            return chunks.positionZero;
        }

        /** Result bytes that the peer wrote into Write chunks. */
        public long writeChunkBytes() {
            return chunks.write;
        }

        /** Bytes of the reply that the peer wrote into the Reply chunk. */
        public long replyChunkBytes() {
            return chunks.reply;
        }

        /** Returns this report with the bytes of chunks, by type of chunk. */
        public CallReport withChunkBytes(long read, long positionZero, long write, long reply) {
            return new CallReport(
                    procedure, elapsed, failure, inlineBytes, new Chunks(read, positionZero, write, reply), copies);
        }

        /** The number of times that the runtime copied payload bytes between buffers. */
        public long copies() {
            return copies.count;
        }

        /** The number of bytes that it copied. */
        public long copiedBytes() {
            return copies.bytes;
        }

        /**
         * How many of the {@link #copiedBytes} were results that had landed in the memory for another element, because a
         * result before them was absent, or an array or list had another number of elements than the call assumed.
         */
        public long movedBytes() {
            return copies.moved;
        }

        /** See {@link #copies}, {@link #copiedBytes} and {@link #movedBytes}. */
        public CallReport withCopies(long count, long bytes, long moved) {
            return new CallReport(procedure, elapsed, failure, inlineBytes, chunks, new Copies(count, bytes, moved));
        }
    }
}
