// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.queuepair;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import org.emplace.rdma.MemoryRegion.MemorySegment;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaException.Reason;
import org.emplace.rdma.WorkRequest;
import org.emplace.rdma.WorkRequest.Completion;
import org.emplace.rdma.WorkRequest.Completion.Status;
import org.emplace.rdma.provider.ConnectionCounters;
import org.emplace.rdma.verbs.device.DeviceCapabilities;
import org.emplace.rdma.verbs.device.DeviceCapabilities.QueuePairLimits;
import org.emplace.rdma.verbs.device.VerbsDevice;
import org.emplace.rdma.verbs.jni.Libibverbs;
import org.emplace.rdma.verbs.jni.NativeException;
import org.emplace.rdma.verbs.memory.ProtectionDomain;
import org.emplace.rdma.verbs.memory.ProtectionDomain.Registration;
import org.emplace.rdma.verbs.memory.RemoteAccessStrategy;
import org.emplace.rdma.verbs.memory.VerbsRegion;
import org.emplace.rdma.verbs.queuepair.CompletionQueue.Reaped;
import org.emplace.rdma.verbs.queuepair.CompletionQueue.WorkStatus;
import org.jspecify.annotations.Nullable;

/**
 * The send queue of a queue pair: the requests that the device holds, in order, those that wait for room, and their completion queue. Requests are
 * posted to the device on the calling thread, which may be any; everything else is done on the loop. A completion is requested only for the last request
 * of a batch and for every Read, which on iWARP may complete after later requests. Any other request has completed when a later one completes.
 */
final class VerbsSendQueue implements RemoteAccessStrategy.WindowPosting {
    private static final int BATCH = 32;
    /** The most bytes that one native request moves: rxe's largest message, the lowest limit of known devices. */
    private static final int LONGEST = 8 << 20;

    private final VerbsQueuePair queuePair;
    private final QueuePairLimits limits;
    private final ProtectionDomain domain;
    private final DeviceCapabilities device;
    private final CompletionQueue completions;
    private final SendNotification notification;
    private final WorkRequestBuffer buffer;
    private final Deque<SendItem> waiting = new ArrayDeque<>();
    private final Deque<Posted> posted = new ArrayDeque<>();
    private int outboundReads;
    private long nextSequence;
    private boolean closed;
    private @Nullable RdmaException fault;

    VerbsSendQueue(
            VerbsQueuePair queuePair,
            QueuePairLimits limits,
            ProtectionDomain domain,
            VerbsDevice device,
            CompletionQueue completions) {
        this.queuePair = queuePair;
        this.limits = limits;
        this.domain = domain;
        this.device = device.capabilities();
        this.completions = completions;
        notification = new SendNotification(device.io(), queuePair, completions::arm);
        buffer = WorkRequestBuffer.ofSends(Math.min(BATCH, limits.sends()), limits.elements());
    }

    /** Lets Reads be sent, of which the peer answers {@code reads} at a time. */
    synchronized void negotiated(int reads) {
        outboundReads = reads;
    }

    /** On any thread: posts requests in order, now or when the device has room. Does nothing after {@link #stopPosting}. */
    void post(List<WorkRequest> requests, ConnectionCounters counters) {
        requests.forEach(this::check);
        RdmaException failure;
        synchronized (this) {
            if (closed) {
                return;
            }
            counters.posted(requests);
            for (WorkRequest request : requests) {
                waiting.addAll(SendItem.parts(request, limits.elements(), LONGEST));
            }
            transmit();
            failure = fault;
        }
        queuePair.report(failure);
    }

    /** Checks that a request's memory is this provider's and that the device supports the request. */
    private void check(WorkRequest request) {
        List<MemorySegment> memory = request.memory();
        memory.forEach(request instanceof WorkRequest.Read ? VerbsRegion::ofSink : VerbsRegion::of);
        if (request instanceof WorkRequest.Send send) {
            if (memory.size() > limits.elements()) {
                throw new IllegalArgumentException(queuePair + ": a Send of " + memory.size()
                        + " pieces; the device gathers " + limits.elements() + " at most");
            }
            if (send.invalidate().isPresent() && !device.invalidation()) {
                throw new IllegalArgumentException(queuePair + ": the device cannot send with invalidate");
            }
        }
    }

    @Override
    public void bind(long window, int key, Registration registration, long address, int length, int rights) {
        post(new SendItem.Bind(window, key, registration, address, length, rights));
    }

    @Override
    public void invalidate(int key, Runnable invalidated) {
        post(new SendItem.Invalidation(key, invalidated));
    }

    /** Probes the peer. */
    void probe() {
        post(new SendItem.Probe());
    }

    private void post(SendItem item) {
        RdmaException failure;
        synchronized (this) {
            if (closed) {
                return;
            }
            waiting.add(item);
            transmit();
            failure = fault;
        }
        queuePair.report(failure);
    }

    synchronized void stopPosting() {
        closed = true;
    }

    /** Posts as many waiting requests as the device has room for. */
    private void transmit() {
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
                notification.posting(waiting.remove());
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
            int taken = Libibverbs.postSend(queuePair.handle(), buffer.bytes(), buffer.count());
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
            buffer.addSend(sequence, Libibverbs.BIND, 0);
            buffer.key(bind.key());
            buffer.window(bind.window(), bind.registration().handle(), bind.rights());
            buffer.element(bind.address(), bind.length(), bind.registration().localKey());
        } else if (item instanceof SendItem.Invalidation invalidation) {
            buffer.addSend(sequence, Libibverbs.LOCAL_INVALIDATE, Libibverbs.SIGNALED);
            buffer.key(invalidation.key());
        } else if (item instanceof SendItem.Probe) {
            buffer.addSend(sequence, Libibverbs.WRITE, Libibverbs.SIGNALED);
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
            buffer.addSend(sequence, Libibverbs.WRITE, flags);
            buffer.key(write.target().stag());
            buffer.remoteAddress(part.remoteOffset());
        } else {
            WorkRequest.Send send = (WorkRequest.Send) request;
            buffer.addSend(
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
        // On iWARP the peer needs write access to the sink of a Read.
        if (device.iwarp() && MemorySegment.total(part.memory()) > 0) {
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
        buffer.addSend(sequence, Libibverbs.READ, Libibverbs.SIGNALED);
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

    /** Requests an event for the next completion if one is needed. */
    void arm() throws NativeException {
        if (notification.isAwaited()) {
            completions.arm();
        }
    }

    /** Processes the first {@code count} completions that were polled, and posts requests that waited for room. */
    synchronized void reap(int count, Reaped reaped) {
        for (int i = 0; i < count; i++) {
            WorkStatus status = completions.batch().status(i);
            if (reaped.note(status, closed)) {
                complete(completions.batch().sequence(i), status.status(), reaped);
            }
        }
        if (reaped.failure() == null && !closed) {
            transmit();
        }
        reaped.fault(fault);
    }

    /** Completes a request, and those before it that have ended with it. */
    private void complete(long sequence, Status status, Reaped reaped) {
        for (Iterator<Posted> each = posted.iterator(); each.hasNext(); ) {
            Posted request = each.next();
            if (request.sequence > sequence) {
                return;
            }
            boolean reported = request.sequence == sequence;
            if (reported || !request.isRead()) {
                each.remove();
                notification.completed(request.item);
                request.complete(reported ? status : Status.SUCCESS, reaped::completed);
                if (request.item instanceof SendItem.Invalidation invalidation
                        && (!reported || status == Status.SUCCESS)) {
                    reaped.invalidated(invalidation.invalidated());
                }
            }
        }
    }

    /** If the queue pair could not be destroyed: deregisters the memory of outstanding requests, so that the device can no longer access it. */
    synchronized void withdraw() {
        for (Posted request : posted) {
            if (request.item instanceof SendItem.Part part) {
                part.memory().forEach(segment -> VerbsRegion.of(segment).withdrawFrom(domain));
            }
        }
    }

    CompletionQueue completions() {
        return completions;
    }

    /** After the queue pair has been destroyed: completes the outstanding requests in order. */
    synchronized void flush(List<Completion> completed) {
        for (Posted request : posted) {
            notification.completed(request.item);
            request.complete(Status.FLUSHED, completed::add);
        }
        posted.clear();
        boolean faulty = fault != null;
        for (SendItem item : waiting) {
            if (item instanceof SendItem.Part) {
                new Posted(0, item, null).complete(faulty ? Status.LOCAL_ERROR : Status.FLUSHED, completed::add);
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

        /** Completes the request; {@code consumer} gets the completion of the work request of which this is the last part. */
        void complete(Status status, Consumer<Completion> consumer) {
            if (sink != null) {
                sink.close();
            }
            if (item instanceof SendItem.Part part) {
                part.transfer().completed(status);
                if (part.last()) {
                    consumer.accept(part.transfer().completion());
                }
            }
        }
    }
}
