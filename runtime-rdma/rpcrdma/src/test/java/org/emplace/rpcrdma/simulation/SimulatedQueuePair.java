// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.simulation;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import org.emplace.rdma.ConnectionParameters;
import org.emplace.rdma.MemoryRegion.MemorySegment;
import org.emplace.rdma.QueuePair;
import org.emplace.rdma.QueuePair.Handler;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaException.Reason;
import org.emplace.rdma.Receives;
import org.emplace.rdma.Receives.ReceiveRequest;
import org.emplace.rdma.RemoteAccess;
import org.emplace.rdma.RemoteAccess.RemoteSegment;
import org.emplace.rdma.RemoteAccess.Right;
import org.emplace.rdma.WorkRequest;
import org.emplace.rdma.WorkRequest.Completion;
import org.emplace.rdma.WorkRequest.Completion.Operation;
import org.emplace.rdma.WorkRequest.Completion.Status;
import org.emplace.rdma.provider.ConnectionCounters;
import org.emplace.rdma.provider.HandlerCalls;
import org.jspecify.annotations.Nullable;

/**
 * One end of a connection in which every step takes a while, and may be the last. What is posted goes one by one and in order, but RDMA Reads end when
 * they do; data moves in two halves, from and to memory as it then is; completions come late and several at a time; and the ends learn apart from each other
 * that the connection is over. Whatever a provider is never to be asked for is a violation.
 */
final class SimulatedQueuePair implements QueuePair {
    private static final Duration UNTIL_SILENCE_IS_NOTICED = Duration.ofMinutes(2);

    private final SimulatedProvider provider;
    private final Schedule schedule;
    private final InetSocketAddress local;
    private final InetSocketAddress remote;
    private final byte[] remotePrivateData;
    private final int outboundReads;
    private final ConnectionCounters counters;
    private final HandlerCalls handler;
    private final SimulatedProvider.@Nullable SharedReceives sharedReceives;
    private final Deque<ReceiveRequest> receives = new ArrayDeque<>();
    private final Deque<WorkRequest> posted = new ArrayDeque<>();
    /** Begun, and not reported. */
    private final List<WorkRequest> begun = new ArrayList<>();

    private final CompletionReports completions;
    /** To and from this end's memory. Until it has ended, this end is not told that the connection is over. */
    private final MemoryTraffic traffic;

    private final Map<Integer, Grant> grants = new HashMap<>();
    private @Nullable SimulatedQueuePair joined;
    private int stags;
    private boolean sending;
    /** Nothing gets through any more. This end may not know that. */
    private boolean mute;

    private boolean over;
    private boolean told;

    SimulatedQueuePair(
            SimulatedProvider provider,
            InetSocketAddress local,
            InetSocketAddress remote,
            ConnectionParameters ours,
            ConnectionParameters theirs,
            Handler handler) {
        this.provider = provider;
        this.schedule = provider.schedule();
        this.traffic = new MemoryTraffic(schedule);
        this.local = local;
        this.remote = remote;
        this.remotePrivateData = theirs.privateData().offer(provider.reportsInvalidation());
        this.outboundReads = Math.min(ours.outboundReads(), theirs.inboundReads());
        this.counters = provider.counters().connectionOpened(local, remote);
        this.handler = new HandlerCalls(handler, counters, this, broken -> {
            schedule.violated(this + ": a handler threw " + broken.getCause());
            over(broken);
        });
        this.completions = new CompletionReports(schedule, this.handler);
        if (ours.receives() instanceof Receives.Own own) {
            receives.addAll(own.first());
            sharedReceives = null;
        } else {
            sharedReceives = (SimulatedProvider.SharedReceives) ours.receives();
        }
    }

    void joinTo(SimulatedQueuePair other) {
        joined = other;
    }

    private SimulatedQueuePair other() {
        return Objects.requireNonNull(joined);
    }

    /** From now on the handler is notified. */
    void establish() {
        handler.established(this);
        completions.establish();
    }

    @Override
    public InetSocketAddress remoteAddress() {
        return remote;
    }

    @Override
    public InetSocketAddress localAddress() {
        return local;
    }

    @Override
    public byte[] remotePrivateData() {
        return remotePrivateData;
    }

    @Override
    public int outboundReads() {
        return outboundReads;
    }

    @Override
    public boolean reportsRemoteInvalidation() {
        return provider.reportsInvalidation();
    }

    @Override
    public boolean sendsInvalidate() {
        return true;
    }

    @Override
    public void postReceive(ReceiveRequest receive) {
        if (!over) {
            receives.add(receive);
        }
    }

    @Override
    public void post(List<WorkRequest> requests) {
        if (!over) {
            counters.posted(requests);
            posted.addAll(requests);
            sendNext();
        } else if (!told) {
            posted.addAll(requests);
        }
    }

    @Override
    public RemoteAccess expose(MemorySegment segment, Right right) throws RdmaException {
        if (over) {
            throw new RdmaException(Reason.DISCONNECTED, this + " is over");
        }
        int stag = ++stags << 8;
        counters.accessGranted();
        Grant grant = new Grant(schedule, segment, right, stag, () -> {
            grants.remove(stag);
            counters.accessEnded();
        });
        grants.put(stag, grant);
        return grant;
    }

    @Override
    public void close() {
        if (!over) {
            schedule.note(this + " is closed");
            over(null);
            other().hear(null);
        }
    }

    /** Breaks the connection. Each end notices independently. */
    void lose(boolean byReset) {
        schedule.note(this + " breaks");
        RdmaException why = new RdmaException(Reason.DISCONNECTED, this + (byReset ? ": reset" : ": broken"));
        muteBoth();
        hear(why);
        other().hear(why);
    }

    /** Stops all traffic, which both ends notice much later. */
    void silence() {
        schedule.note(this + " falls silent");
        muteBoth();
        RdmaException why = new RdmaException(Reason.DISCONNECTED, this + ": silent");
        schedule.after(UNTIL_SILENCE_IS_NOTICED, () -> over(why));
        schedule.after(UNTIL_SILENCE_IS_NOTICED, () -> other().over(why));
    }

    private void muteBoth() {
        mute = true;
        other().mute = true;
    }

    /** Learns of the end, unless nothing gets through. */
    private void hear(@Nullable RdmaException why) {
        boolean learns = why != null || !mute;
        mute = true;
        if (learns) {
            schedule.soon(() -> over(why));
        }
    }

    private void sendNext() {
        if (!sending && !posted.isEmpty()) {
            sending = true;
            schedule.soon(this::send);
        }
    }

    private boolean isCut() {
        return over || mute;
    }

    private void send() {
        if (isCut()) {
            return;
        }
        WorkRequest next = posted.remove();
        String broken = next.brokenRule(outboundReads);
        if (broken != null) {
            schedule.violated(this + ": " + broken);
        }
        begun.add(next);
        if (next instanceof WorkRequest.Send send) {
            if (other().arrive(send)) {
                completeLater(next);
                sent();
            }
        } else if (next instanceof WorkRequest.Write write) {
            write(write);
        } else if (next instanceof WorkRequest.Read read) {
            schedule.soon(() -> read(read));
            sent();
        }
    }

    private void sent() {
        sending = false;
        sendNext();
    }

    /** Whether there was a Receive for it. */
    private boolean arrive(WorkRequest.Send send) {
        if (over) {
            return true;
        }
        ReceiveRequest receive = sharedReceives == null ? receives.poll() : sharedReceives.next();
        if (receive == null) {
            schedule.violated(this + ": a Send found no Receive");
            return false;
        }
        if (send.length() > receive.sink().length()) {
            schedule.violated(this + ": a Send of " + send.length() + " bytes is longer than its Receive");
            return false;
        }
        ByteBuffer sink = receive.sink().buffer();
        send.gather().forEach(piece -> sink.put(piece.buffer()));
        OptionalInt invalidated = OptionalInt.empty();
        Grant grant =
                send.invalidate().isPresent() ? grants.get(send.invalidate().getAsInt()) : null;
        if (grant != null) {
            grant.end();
            invalidated = send.invalidate();
        }
        completions.add(
                new Completion(receive.id(), Operation.RECEIVE, Status.SUCCESS, (int) send.length(), invalidated));
        return true;
    }

    private void write(WorkRequest.Write write) {
        int length = (int) write.length();
        Grant target = other().granted(Right.REMOTE_WRITE, write.target(), length);
        if (target == null) {
            refused(write, write.target());
            return;
        }
        ByteBuffer sink = target.begin(write.target(), length);
        other().traffic.move(() -> gathered(write.gather()), sink, length, () -> {
            target.transferred();
            if (!isCut()) {
                completeLater(write);
                sent();
            }
        });
    }

    private void read(WorkRequest.Read read) {
        if (isCut()) {
            return;
        }
        int length = read.sink().length();
        Grant source = other().granted(Right.REMOTE_READ, read.source(), length);
        if (source == null) {
            refused(read, read.source());
            return;
        }
        ByteBuffer bytes = source.begin(read.source(), length);
        ByteBuffer response = ByteBuffer.allocate(length);
        other().traffic.move(() -> bytes, response, length, () -> {
            source.transferred();
            if (!isCut()) {
                traffic.move(() -> response, read.sink().buffer(), length, () -> {
                    if (!isCut()) {
                        completeLater(read);
                    }
                });
            }
        });
    }

    private static ByteBuffer gathered(List<MemorySegment> pieces) {
        ByteBuffer bytes = ByteBuffer.allocate((int) MemorySegment.total(pieces));
        pieces.forEach(piece -> bytes.put(piece.buffer()));
        return bytes.flip();
    }

    private @Nullable Grant granted(Right right, RemoteSegment range, int length) {
        Grant grant = over ? null : grants.get(range.stag());
        return grant != null && grant.allows(right, range, length) ? grant : null;
    }

    private void refused(WorkRequest request, RemoteSegment range) {
        if (other().over) {
            return;
        }
        String what = "%s by %s of memory that is not granted: %s".formatted(request.operation(), this, range);
        schedule.note(what);
        provider.accessRefused();
        begun.remove(request);
        completions.add(Completion.failure(request, Status.REMOTE_ERROR));
        muteBoth();
        hear(new RdmaException(Reason.TERMINATED_BY_PEER, what));
        other().hear(new RdmaException(Reason.PEER_VIOLATION, what));
    }

    /** In the order in which the work ended, except for work whose end is noticed late. */
    private void completeLater(WorkRequest request) {
        completions.inOrder(() -> {
            if (!over) {
                begun.remove(request);
                completions.add(Completion.success(request));
            }
        });
    }

    private void over(@Nullable RdmaException why) {
        if (!over) {
            over = true;
            schedule.soon(() -> end(why));
        }
    }

    private void end(@Nullable RdmaException why) {
        if (traffic.isMoving() || !completions.isIdle()) {
            schedule.soon(() -> end(why));
            return;
        }
        List.copyOf(grants.values()).forEach(Grant::end);
        List<Completion> flushed = flush();
        told = true;
        completions.handOverWith(flushed);
        schedule.note(this + " is over");
        handler.disconnected(why);
        provider.ended(this);
    }

    private List<Completion> flush() {
        List<Completion> flushed = new ArrayList<>();
        begun.forEach(request -> flushed.add(Completion.failure(request, Status.FLUSHED)));
        posted.forEach(request -> flushed.add(Completion.failure(request, Status.FLUSHED)));
        receives.forEach(receive ->
                flushed.add(new Completion(receive.id(), Operation.RECEIVE, Status.FLUSHED, 0, OptionalInt.empty())));
        begun.clear();
        posted.clear();
        receives.clear();
        return flushed;
    }

    @Override
    public String toString() {
        return local.getPort() + ">" + remote.getPort();
    }
}
