// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.simulation;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.emplace.rdma.ConnectionParameters;
import org.emplace.rdma.MemoryRegion;
import org.emplace.rdma.QueuePair;
import org.emplace.rdma.QueuePair.Handler;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaListener;
import org.emplace.rdma.RdmaListener.ConnectionAcceptor;
import org.emplace.rdma.RdmaProvider;
import org.emplace.rdma.RdmaProvider.Statistics;
import org.emplace.rdma.Receives.ReceiveRequest;
import org.emplace.rdma.Receives.SharedReceiveQueue;
import org.emplace.rdma.provider.RdmaCounters;
import org.jspecify.annotations.Nullable;

/**
 * The provider of both ends of a simulated world, with a listener at one address, and the network between them with its
 * faults.
 */
public final class SimulatedProvider implements RdmaProvider {
    private final Schedule schedule;
    private final boolean sharesReceives;
    private final boolean reportsInvalidation;
    private final RdmaCounters counters = new RdmaCounters("simulated");
    private final List<SimulatedQueuePair> open = new ArrayList<>();
    private @Nullable Listener listener;
    private int ports = 1024;
    private boolean reachable = true;
    private int accessesRefused;

    /**
     * A device without connections.
     *
     * @param sharesReceives whether it has shared receive queues
     * @param reportsInvalidation see {@link QueuePair#reportsRemoteInvalidation}
     */
    public SimulatedProvider(Schedule schedule, boolean sharesReceives, boolean reportsInvalidation) {
        this.schedule = schedule;
        this.sharesReceives = sharesReceives;
        this.reportsInvalidation = reportsInvalidation;
    }

    /** Sets whether further connections can be made. */
    public void setReachable(boolean can) {
        reachable = can;
        schedule.note(can ? "the network is there" : "the network is gone");
    }

    /** Breaks a connection, if there is one. Each end notices independently, at some time. */
    public void breakConnection() {
        anyOpen().ifPresent(end -> end.lose(schedule.chance(50)));
    }

    /** Silences a connection, if there is one: it carries no more data, and neither end learns this. */
    public void silenceConnection() {
        anyOpen().ifPresent(SimulatedQueuePair::silence);
    }

    private Optional<SimulatedQueuePair> anyOpen() {
        return open.isEmpty()
                ? Optional.empty()
                : Optional.of(open.get(schedule.random().nextInt(open.size())));
    }

    Schedule schedule() {
        return schedule;
    }

    boolean reportsInvalidation() {
        return reportsInvalidation;
    }

    /** The number of accesses to memory to which access has not been granted, or has been revoked. */
    public int accessesRefused() {
        return accessesRefused;
    }

    void accessRefused() {
        accessesRefused++;
    }

    void ended(SimulatedQueuePair end) {
        open.remove(end);
        Listener at = listener;
        if (at != null && at.receives != null) {
            at.receives.endIfUnused();
        }
    }

    @Override
    public String name() {
        return "simulated";
    }

    @Override
    public Statistics statistics() {
        return counters.statistics();
    }

    /** Counts what this provider does. */
    RdmaCounters counters() {
        return counters;
    }

    @Override
    public MemoryRegion register(ByteBuffer direct) {
        ByteBuffer bytes = direct.slice();
        return new MemoryRegion() {
            private volatile boolean open = true;

            @Override
            public ByteBuffer buffer() {
                return bytes.duplicate();
            }

            @Override
            public int length() {
                return bytes.capacity();
            }

            @Override
            public boolean isOpen() {
                return open;
            }

            @Override
            public void close() {
                open = false;
            }
        };
    }

    @Override
    public CompletionStage<QueuePair> connect(
            InetSocketAddress remote, ConnectionParameters parameters, Handler handler) {
        Listener asked = listener;
        if (!reachable || asked == null) {
            return CompletableFuture.failedStage(new RdmaException(
                    RdmaException.Reason.UNREACHABLE, "nobody answers at " + remote + " in this world"));
        }
        Request request = new Request(
                asked, new InetSocketAddress(InetAddress.getLoopbackAddress(), ports++), parameters, handler);
        asked.acceptor.connectionRequested(request);
        return request.connected;
    }

    @Override
    public RdmaListener listen(InetSocketAddress local, int sharedReceives, ConnectionAcceptor acceptor) {
        Listener opened = new Listener(local, acceptor, sharesReceives ? new SharedReceives() : null);
        listener = opened;
        return opened;
    }

    /** Ends all connections; their handlers are called. */
    @Override
    public void close() {
        List.copyOf(open).forEach(SimulatedQueuePair::close);
        counters.closed();
    }

    private final class Listener implements RdmaListener {
        private final InetSocketAddress local;
        private final ConnectionAcceptor acceptor;
        private final @Nullable SharedReceives receives;

        Listener(InetSocketAddress local, ConnectionAcceptor acceptor, @Nullable SharedReceives receives) {
            this.local = local;
            this.acceptor = acceptor;
            this.receives = receives;
        }

        @Override
        public InetSocketAddress localAddress() {
            return local;
        }

        @Override
        public void close() {
            listener = null;
            if (receives != null) {
                receives.closing = true;
                receives.endIfUnused();
            }
        }
    }

    /** A receive queue that all accepted connections share. */
    final class SharedReceives implements SharedReceiveQueue {
        private static final int CAPACITY = 96;

        private final Deque<ReceiveRequest> posted = new ArrayDeque<>();
        private final CompletableFuture<Void> closed = new CompletableFuture<>();
        private boolean closing;

        @Override
        public int capacity() {
            return CAPACITY;
        }

        @Override
        public void postReceive(ReceiveRequest receive) {
            posted.add(receive);
        }

        @Override
        public CompletionStage<Void> closed() {
            return closed;
        }

        @Nullable
        ReceiveRequest next() {
            return posted.poll();
        }

        private void endIfUnused() {
            if (closing && open.isEmpty()) {
                closed.complete(null);
            }
        }
    }

    private final class Request implements ConnectionAcceptor.Request {
        private final Listener asked;
        private final InetSocketAddress from;
        private final ConnectionParameters theirs;
        private final Handler theirHandler;
        private final CompletableFuture<QueuePair> connected = new CompletableFuture<>();

        Request(Listener asked, InetSocketAddress from, ConnectionParameters parameters, Handler theirHandler) {
            this.asked = asked;
            this.from = from;
            this.theirs = parameters;
            this.theirHandler = theirHandler;
        }

        @Override
        public InetSocketAddress remoteAddress() {
            return from;
        }

        @Override
        public byte[] privateData() {
            return theirs.privateData().offer(reportsInvalidation);
        }

        @Override
        public int initiatorInboundReads() {
            return theirs.inboundReads();
        }

        @Override
        public Optional<SharedReceiveQueue> sharedReceiveQueue() {
            return Optional.ofNullable(asked.receives);
        }

        @Override
        public void accept(ConnectionParameters ours, Handler handler) {
            SimulatedQueuePair here =
                    new SimulatedQueuePair(SimulatedProvider.this, asked.local, from, ours, theirs, handler);
            SimulatedQueuePair there =
                    new SimulatedQueuePair(SimulatedProvider.this, from, asked.local, theirs, ours, theirHandler);
            open.add(here);
            open.add(there);
            here.joinTo(there);
            there.joinTo(here);
            there.establish();
            schedule.soon(here::establish);
            connected.complete(there);
        }

        @Override
        public void reject(byte[] privateData) {
            connected.completeExceptionally(
                    new RdmaException(RdmaException.Reason.REJECTED, asked.local + " rejected the connection"));
        }
    }
}
