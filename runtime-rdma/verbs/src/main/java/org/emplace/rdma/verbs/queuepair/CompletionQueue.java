// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.queuepair;

import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaException.Reason;
import org.emplace.rdma.WorkRequest.Completion;
import org.emplace.rdma.WorkRequest.Completion.Status;
import org.emplace.rdma.verbs.device.VerbsDevice;
import org.emplace.rdma.verbs.event.CompletionHandler;
import org.emplace.rdma.verbs.jni.Libibverbs;
import org.emplace.rdma.verbs.jni.NativeException;
import org.emplace.rdma.verbs.jni.NativeLibrary;
import org.emplace.rdma.verbs.memory.RemoteAccessStrategy;
import org.jspecify.annotations.Nullable;

/** A completion queue of the device. Used on the loop unless a method says otherwise. */
final class CompletionQueue {
    private static final System.Logger LOG = System.getLogger(CompletionQueue.class.getName());
    private static final int[] COMPLETION = NativeLibrary.layout(NativeLibrary.COMPLETION);
    private static final int SIZE = COMPLETION[0];
    private static final int ID = COMPLETION[1];
    private static final int STATUS = COMPLETION[2];
    private static final int OPCODE = COMPLETION[3];
    private static final int LENGTH = COMPLETION[4];
    private static final int FLAGS = COMPLETION[5];
    private static final int INVALIDATED_KEY = COMPLETION[6];
    private static final int VENDOR_ERROR = COMPLETION[7];
    private static final int QUEUE_PAIR = COMPLETION[8];

    /** {@code IBV_WC_RECV_RDMA_WITH_IMM}. */
    private static final int WRITE_WITH_IMMEDIATE = 129;

    /** {@code IBV_WC_WITH_INV}; rxe sets the kernel's number for it, which user space calls {@code IBV_WC_IP_CSUM_OK}. */
    private static final int WITH_INVALIDATE = 1 << 3;

    private static final int WITH_INVALIDATE_IN_KERNEL = 1 << 2;

    private final VerbsDevice device;
    private final long handle;
    private final Batch batch;

    private CompletionQueue(VerbsDevice device, long handle, Batch completions) {
        this.device = device;
        this.handle = handle;
        this.batch = completions;
    }

    /**
     * Creates a queue.
     *
     * @param source activated by its events
     * @param entries its capacity
     * @param completions filled by {@link #poll}
     */
    static CompletionQueue create(VerbsDevice device, CompletionHandler.Source source, int entries, Batch completions)
            throws NativeException {
        return new CompletionQueue(
                device, device.createCompletionQueue(source, entries, completions.bytes), completions);
    }

    /** On any thread: the native handle. */
    long handle() {
        return handle;
    }

    /** Takes at most a batch of completions. Returns their number. */
    int poll() throws NativeException {
        int found = Libibverbs.poll(handle);
        batch.successful = found >= 0;
        return found >= 0 ? found : -1 - found;
    }

    /** The completions that the last {@link #poll} took, until another queue that uses the same room is polled. */
    Batch batch() {
        return batch;
    }

    /** On any thread: requests an event for the next completion. */
    void arm() throws NativeException {
        Libibverbs.requestNotification(handle);
    }

    /** Destroys queues, of which some may be null. Their queue pairs must have been destroyed. */
    static void destroy(@Nullable CompletionQueue... queues) {
        for (CompletionQueue queue : queues) {
            try {
                if (queue != null) {
                    queue.device.destroyCompletionQueue(queue.handle);
                }
            } catch (NativeException e) {
                LOG.log(Level.WARNING, queue.device.name() + ": a completion queue cannot be destroyed", e);
            }
        }
    }

    /** Room for a batch of completions, as C writes them. Queues that are polled by one loop may use it in turn. */
    static final class Batch {
        private final ByteBuffer bytes;
        /** Whether the last poll found only completions of successful requests, so that their statuses need not be read. */
        private boolean successful;

        /** Allocates room for a batch. */
        Batch(int completions) {
            this(ByteBuffer.allocateDirect(completions * SIZE));
        }

        /** @param bytes direct; may already contain completions */
        Batch(ByteBuffer bytes) {
            this.bytes = bytes.order(ByteOrder.nativeOrder());
        }

        /** The request's number in its queue. */
        long sequence(int index) {
            return bytes.getLong(index * SIZE + ID);
        }

        WorkStatus status(int index) {
            return successful
                    ? WorkStatus.SUCCESS
                    : WorkStatus.of(bytes.getInt(index * SIZE + STATUS), bytes.getInt(index * SIZE + VENDOR_ERROR));
        }

        /** The number of the request's queue pair. */
        int queuePair(int index) {
            return bytes.getInt(index * SIZE + QUEUE_PAIR);
        }

        /**
         * Bytes received; 0 for a peer's RDMA Write with immediate data. That consumes a Receive without writing to it, and reports the length of the
         * Write.
         */
        int length(int index) {
            boolean written = bytes.getInt(index * SIZE + OPCODE) == WRITE_WITH_IMMEDIATE;
            return written ? 0 : bytes.getInt(index * SIZE + LENGTH);
        }

        /** Whether the peer's Send may have invalidated {@link #invalidatedKey}. It has if that key was exposed. */
        boolean mayInvalidate(int index) {
            return (bytes.getInt(index * SIZE + FLAGS) & (WITH_INVALIDATE | WITH_INVALIDATE_IN_KERNEL)) != 0;
        }

        int invalidatedKey(int index) {
            return bytes.getInt(index * SIZE + INVALIDATED_KEY);
        }
    }

    /** What completions that were taken together lead to: collected under the lock of their queue, and carried out afterward. */
    static final class Reaped {
        private final RemoteAccessStrategy strategy;
        private final List<Completion> completions = new ArrayList<>();
        private final List<Runnable> invalidations = new ArrayList<>();
        private @Nullable WorkStatus failure;
        private @Nullable RdmaException fault;

        /** @param strategy the connection's */
        Reaped(RemoteAccessStrategy strategy) {
            this.strategy = strategy;
        }

        /**
         * Notes a request's status.
         *
         * @param closed whether the queue has been closed, which stops its requests
         * @return whether to complete the request; else it is reported with the others that the end flushes
         */
        boolean note(WorkStatus status, boolean closed) {
            if (!status.isSuccess() && (failure == null || failure.isFlushed())) {
                failure = status;
            }
            return status.isSuccess() || !(closed || status.isFlushed());
        }

        /** Notes why nothing can be posted to the queue any more, if that is so. */
        void fault(@Nullable RdmaException reason) {
            fault = reason;
        }

        void completed(Completion completion) {
            completions.add(completion);
        }

        /** Adds an action to run before the handler is called. */
        void invalidated(Runnable action) {
            invalidations.add(action);
        }

        /** Notes that the peer has invalidated a key. Returns the key; empty if it was not exposed to the peer. */
        OptionalInt invalidated(int key) {
            if (!strategy.exposes(key)) {
                return OptionalInt.empty();
            }
            invalidations.add(() -> strategy.invalidated(key));
            return OptionalInt.of(key);
        }

        /** Runs the actions. Returns the completions for the handler. */
        List<Completion> invalidate() {
            invalidations.forEach(Runnable::run);
            return completions;
        }

        /** The first failed request's status, preferably one that is not a flush; null if all succeeded. */
        @Nullable
        WorkStatus failure() {
            return failure;
        }

        /** Why nothing can be posted any more; null if posting works. */
        @Nullable
        RdmaException fault() {
            return fault;
        }
    }

    /**
     * The status with which the device completed a request: an {@code ibv_wc_status} and its meaning.
     *
     * @param status for the consumer's completion
     * @param reason why the connection ends, if the request failed
     * @param words for messages
     */
    record WorkStatus(Status status, Reason reason, String words) {
        static final WorkStatus SUCCESS = new WorkStatus(Status.SUCCESS, Reason.DISCONNECTED, "success");
        private static final WorkStatus FLUSHED = new WorkStatus(Status.FLUSHED, Reason.DISCONNECTED, "flushed");

        static WorkStatus of(int code, int vendorError) {
            return switch (code) {
                case 0 -> SUCCESS;
                case 1 ->
                    new WorkStatus(
                            Status.LOCAL_ERROR,
                            Reason.PEER_VIOLATION,
                            "the peer's Send is longer than the Receive for it");
                case 2, 3, 7 ->
                    new WorkStatus(
                            Status.LOCAL_ERROR,
                            Reason.DISCONNECTED,
                            "the device refuses the operation (status " + code + ", vendor error " + vendorError + ")");
                case 4, 8 ->
                    new WorkStatus(
                            Status.LOCAL_ERROR,
                            Reason.DISCONNECTED,
                            "the request names memory that is not registered for it");
                case 5 -> FLUSHED;
                case 6 ->
                    new WorkStatus(
                            Status.LOCAL_ERROR,
                            Reason.DISCONNECTED,
                            "a memory window could not be bound or invalidated");
                case 9 ->
                    new WorkStatus(
                            Status.REMOTE_ERROR, Reason.TERMINATED_BY_PEER, "the peer says that a request was invalid");
                case 10 ->
                    new WorkStatus(
                            Status.REMOTE_ERROR, Reason.TERMINATED_BY_PEER, "the peer denies access to its memory");
                case 11 ->
                    new WorkStatus(
                            Status.REMOTE_ERROR, Reason.TERMINATED_BY_PEER, "the peer could not carry a request out");
                case 12 -> new WorkStatus(Status.FLUSHED, Reason.DISCONNECTED, "the peer does not answer any more");
                case 13 ->
                    new WorkStatus(
                            Status.REMOTE_ERROR, Reason.DISCONNECTED, "the peer has no Receive posted for a Send");
                default ->
                    new WorkStatus(
                            Status.LOCAL_ERROR,
                            Reason.DISCONNECTED,
                            "the device reports status " + code + ", vendor error " + vendorError);
            };
        }

        boolean isSuccess() {
            return status == Status.SUCCESS;
        }

        /** Whether the request was flushed because the queue pair had stopped, which does not tell the reason. */
        boolean isFlushed() {
            return equals(FLUSHED);
        }
    }
}
