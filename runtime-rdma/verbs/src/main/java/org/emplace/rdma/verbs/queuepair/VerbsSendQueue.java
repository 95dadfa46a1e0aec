// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.queuepair;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import org.emplace.rdma.Completion;
import org.emplace.rdma.Completion.Status;
import org.emplace.rdma.MemorySegment;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaException.Reason;
import org.emplace.rdma.WorkRequest;
import org.emplace.rdma.verbs.jni.Libibverbs;
import org.emplace.rdma.verbs.jni.NativeException;
import org.emplace.rdma.verbs.memory.ProtectionDomain;
import org.emplace.rdma.verbs.memory.Registration;
import org.emplace.rdma.verbs.memory.VerbsRegion;
import org.jspecify.annotations.Nullable;

/**
 * The posted send requests: those that the device holds, in order, and those that wait for room. A completion is requested only for the last request
 * of a batch and for every Read, which on iWARP may complete after later requests. Any other request has completed when a later one completes. Used
 * under the queue pair's lock.
 */
final class VerbsSendQueue {
    private static final int BATCH = 32;
    /** The most bytes that one native request moves: rxe's largest message, the lowest limit of known devices. */
    private static final int LONGEST = 8 << 20;

    private final long queuePair;
    private final NativeQueuePair.Limits limits;
    private final ProtectionDomain domain;
    private final boolean sinksAreWrittenByPeer;
    private final SendNotification notification;
    private final SendBuffer buffer;
    private final Deque<SendItem> waiting = new ArrayDeque<>();
    private final Deque<Posted> posted = new ArrayDeque<>();
    private int outboundReads;
    private long nextSequence;
    private @Nullable RdmaException fault;

    /**
     * Creates an empty queue.
     *
     * @param queuePair its native handle
     * @param sinksAreWrittenByPeer whether the peer needs write access to the sink of a Read, as on iWARP
     * @param notification is told of requests that are posted and completed
     */
    VerbsSendQueue(
            long queuePair,
            NativeQueuePair.Limits limits,
            ProtectionDomain domain,
            boolean sinksAreWrittenByPeer,
            SendNotification notification) {
        this.queuePair = queuePair;
        this.limits = limits;
        this.domain = domain;
        this.sinksAreWrittenByPeer = sinksAreWrittenByPeer;
        this.notification = notification;
        buffer = new SendBuffer(Math.min(BATCH, limits.sends()), limits.elements());
    }

    /** @param reads RDMA Reads that the peer answers at a time */
    void negotiated(int reads) {
        outboundReads = reads;
    }

    /** The reason why nothing can be sent any more; null if sending works. */
    @Nullable
    RdmaException fault() {
        return fault;
    }

    void add(WorkRequest request) {
        waiting.addAll(SendItem.parts(request, limits.elements(), LONGEST));
    }

    void add(SendItem item) {
        waiting.add(item);
    }

    /** Posts as many waiting requests as the device has room for. */
    void transmit() {
        while (fault == null && !waiting.isEmpty() && posted.size() < limits.sends()) {
            buffer.clear();
            int before = posted.size();
            fill();
            if (buffer.count() > 0) {
                buffer.signalLast();
                postBatch(before);
            }
        }
        notification.wantRoom(fault == null && !waiting.isEmpty());
    }

    private void fill() {
        while (!buffer.isFull() && !waiting.isEmpty() && posted.size() < limits.sends()) {
            try {
                posted.add(encode(waiting.element()));
                notification.begins(waiting.remove());
            } catch (RdmaException e) {
                fault = e;
                return;
            }
        }
    }

    private void postBatch(int before) {
        String what;
        try {
            notification.armIfNeeded();
            int taken = Libibverbs.postSend(queuePair, buffer.bytes(), buffer.count());
            if (taken == buffer.count()) {
                return;
            }
            what = "the send queue has room for " + taken + " of " + buffer.count() + " requests, after " + before;
        } catch (NativeException e) {
            what = "posting failed: " + e.getMessage();
        }
        fault = new RdmaException(Reason.DISCONNECTED, what);
    }

    private Posted encode(SendItem item) throws RdmaException {
        long sequence = nextSequence++;
        if (item instanceof SendItem.Part part) {
            return new Posted(sequence, item, encode(sequence, part));
        } else if (item instanceof SendItem.Bind bind) {
            buffer.begin(sequence, Libibverbs.BIND, 0);
            buffer.key(bind.key());
            buffer.window(bind.window(), bind.registration().handle(), bind.rights());
            buffer.element(bind.address(), bind.length(), bind.registration().localKey());
        } else if (item instanceof SendItem.Invalidation invalidation) {
            buffer.begin(sequence, Libibverbs.LOCAL_INVALIDATE, Libibverbs.SIGNALED);
            buffer.key(invalidation.key());
        } else if (item instanceof SendItem.Probe) {
            buffer.begin(sequence, Libibverbs.WRITE, Libibverbs.SIGNALED);
        }
        return new Posted(sequence, item, null);
    }

    /** Encodes a part, after all of its keys have been looked up. Returns the registration made for a Read's sink alone, if there is one. */
    private @Nullable Registration encode(long sequence, SendItem.Part part) throws RdmaException {
        WorkRequest request = part.transfer().request();
        String mistake = request.brokenRule(outboundReads);
        if (mistake != null) {
            throw new RdmaException(Reason.DISCONNECTED, mistake);
        }
        if (request instanceof WorkRequest.Read read) {
            return encode(sequence, read, part);
        }
        boolean inline = MemorySegment.total(part.memory()) <= limits.inline();
        int[] keys = inline ? new int[part.memory().size()] : keys(part.memory());
        int flags = inline ? Libibverbs.INLINE : 0;
        if (request instanceof WorkRequest.Write write) {
            buffer.begin(sequence, Libibverbs.WRITE, flags);
            buffer.key(write.target().stag());
            buffer.remoteAddress(part.remoteOffset());
        } else {
            WorkRequest.Send send = (WorkRequest.Send) request;
            buffer.begin(
                    sequence, send.invalidate().isPresent() ? Libibverbs.SEND_WITH_INVALIDATE : Libibverbs.SEND, flags);
            buffer.key(send.invalidate().orElse(0));
        }
        elements(part.memory(), keys);
        return null;
    }

    private @Nullable Registration encode(long sequence, WorkRequest.Read read, SendItem.Part part)
            throws RdmaException {
        Registration sink = null;
        int[] keys = new int[part.memory().size()];
        if (sinksAreWrittenByPeer && MemorySegment.total(part.memory()) > 0) {
            MemorySegment segment = part.memory().get(0);
            sink = VerbsRegion.of(segment)
                    .registerPart(
                            domain,
                            segment.offset(),
                            segment.length(),
                            Libibverbs.LOCAL_WRITE | Libibverbs.REMOTE_WRITE);
            keys[0] = sink.localKey();
        } else {
            keys = keys(part.memory());
        }
        buffer.begin(sequence, Libibverbs.READ, Libibverbs.SIGNALED);
        buffer.key(read.source().stag());
        buffer.remoteAddress(part.remoteOffset());
        elements(part.memory(), keys);
        return sink;
    }

    private int[] keys(List<MemorySegment> memory) throws RdmaException {
        int[] keys = new int[memory.size()];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = VerbsRegion.of(memory.get(i)).in(domain).localKey();
        }
        return keys;
    }

    private void elements(List<MemorySegment> memory, int[] keys) {
        for (int i = 0; i < keys.length; i++) {
            MemorySegment segment = memory.get(i);
            if (segment.length() > 0) {
                buffer.element(VerbsRegion.of(segment).address() + segment.offset(), segment.length(), keys[i]);
            }
        }
    }

    /**
     * Takes a completion.
     *
     * @param ended receives the resulting completions for the consumer
     * @param invalidations receives actions to run after the lock is released
     */
    void completed(long sequence, Status status, List<Completion> ended, List<Runnable> invalidations) {
        for (Iterator<Posted> each = posted.iterator(); each.hasNext(); ) {
            Posted request = each.next();
            if (request.sequence > sequence) {
                return;
            }
            boolean reported = request.sequence == sequence;
            if (reported || !request.isRead()) {
                each.remove();
                notification.ended(request.item);
                request.end(reported ? status : Status.SUCCESS, ended, invalidations);
            }
        }
    }

    /** Deregisters the memory of outstanding requests, so that the device can no longer access it. */
    void withdraw() {
        for (Posted request : posted) {
            if (request.item instanceof SendItem.Part part) {
                part.memory().forEach(segment -> VerbsRegion.of(segment).withdrawFrom(domain));
            }
        }
    }

    /** Completes the outstanding requests in order, after the queue pair has been destroyed. */
    void flush(List<Completion> ended) {
        for (Posted request : posted) {
            notification.ended(request.item);
            request.end(Status.FLUSHED, ended, null);
        }
        posted.clear();
        boolean faulty = fault != null;
        for (SendItem item : waiting) {
            if (item instanceof SendItem.Part) {
                new Posted(0, item, null).end(faulty ? Status.LOCAL_ERROR : Status.FLUSHED, ended, null);
                faulty = false;
            }
        }
        waiting.clear();
    }

    /** A request that the device holds. */
    private record Posted(
            long sequence, SendItem item, @Nullable Registration sink) {

        boolean isRead() {
            return item instanceof SendItem.Part part && part.transfer().request() instanceof WorkRequest.Read;
        }

        void end(Status status, List<Completion> ended, @Nullable List<Runnable> invalidations) {
            if (sink != null) {
                sink.close();
            }
            if (item instanceof SendItem.Part part) {
                part.transfer().ended(status);
                if (part.last()) {
                    ended.add(part.transfer().completion());
                }
            } else if (item instanceof SendItem.Invalidation invalidation
                    && invalidations != null
                    && status == Status.SUCCESS) {
                invalidations.add(invalidation.invalidated());
            }
        }
    }
}
