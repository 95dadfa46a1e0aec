// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.emplace.rdma.ConnectionParameters;
import org.emplace.rdma.MemoryRegion;
import org.emplace.rdma.QueuePair;
import org.emplace.rdma.QueuePair.Handler;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaException.Reason;
import org.emplace.rdma.RdmaListener;
import org.emplace.rdma.RdmaListener.ConnectionAcceptor;
import org.emplace.rdma.RdmaProvider;
import org.emplace.rdma.RdmaProvider.Statistics;
import org.emplace.rdma.RdmaProviderFactory;
import org.emplace.rdma.RdmaProviderFactory.DeviceDescription;
import org.emplace.rdma.RdmaProviderFactory.DeviceDescription.Capability;
import org.emplace.rdma.iwarp.framing.MpaFrame;
import org.emplace.rdma.iwarp.framing.MpaFrame.ReadNegotiation;
import org.emplace.rdma.iwarp.framing.Wire;
import org.emplace.rdma.iwarp.memory.Region;
import org.emplace.rdma.iwarp.queuepair.Endpoint;
import org.emplace.rdma.iwarp.queuepair.IwarpQueuePair;
import org.emplace.rdma.provider.RdmaCounters;
import org.emplace.reactor.LoopGroup;
import org.emplace.reactor.SocketHandler;

/** Software iWARP: RDMA over TCP without RDMA hardware. A few event-loop threads serve all connections. */
public final class IwarpProvider implements RdmaProvider {
    static final String NAME = "iwarp";

    private static final int BACKLOG = 1024;

    private final IwarpOptions options;
    private final LoopGroup loops;
    private final UnaryOperator<Wire> wiretap;
    private final SecureRandom random = new SecureRandom();
    private final RdmaCounters counters = new RdmaCounters(NAME);
    private final AtomicBoolean closed = new AtomicBoolean();

    private IwarpProvider(IwarpOptions options, LoopGroup loops, UnaryOperator<Wire> wiretap) {
        this.options = options;
        this.loops = loops;
        this.wiretap = wiretap;
    }

    /** Opens a provider. @throws RdmaException if the system has no more descriptors for selectors */
    public static IwarpProvider open(IwarpOptions options) throws RdmaException {
        return open(options, UnaryOperator.identity());
    }

    /** Opens a provider. Each connection uses the wire that {@code wiretap} returns, in place of the wire of its socket. */
    static IwarpProvider open(IwarpOptions options, UnaryOperator<Wire> wiretap) throws RdmaException {
        try {
            return new IwarpProvider(options, LoopGroup.open("emplace-iwarp", options.eventLoops()), wiretap);
        } catch (IOException e) {
            throw new RdmaException(Reason.NO_RESOURCES, "iwarp: no selector for an event loop: " + e.getMessage(), e);
        }
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Statistics statistics() {
        return counters.statistics();
    }

    /** Counts what this provider does. */
    RdmaCounters counters() {
        return counters;
    }

    IwarpOptions options() {
        return options;
    }

    /** The handler, and so the loop, for the next channel. */
    SocketHandler nextHandler() {
        return loops.next();
    }

    /** Prepares a channel for use on a loop; closes it if that fails. */
    Wire wire(SocketChannel channel) throws IOException {
        try {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            return wiretap.apply(Wire.of(channel));
        } catch (IOException e) {
            SocketHandler.closeQuietly(channel);
            throw e;
        }
    }

    /** This side's end of a connected channel. */
    Endpoint endpoint(SocketHandler sockets, SocketChannel channel, Wire wire) throws IOException {
        return new Endpoint(
                sockets,
                channel,
                wire,
                options.drainTimeout(),
                options.receiveTimeout(),
                random,
                (InetSocketAddress) channel.getLocalAddress(),
                (InetSocketAddress) channel.getRemoteAddress());
    }

    @Override
    public MemoryRegion register(ByteBuffer direct) throws RdmaException {
        if (!direct.isDirect()) {
            throw new IllegalArgumentException("only direct buffers can be registered");
        }
        return counters.registering(direct.remaining(), () -> new Region(direct, counters));
    }

    @Override
    public CompletionStage<QueuePair> connect(
            InetSocketAddress remote, ConnectionParameters parameters, Handler handler) {
        IwarpQueuePair.check(parameters.receives(), null);
        MpaFrame request = ReadNegotiation.request(options.mpaRevision(), options.crc(), parameters);
        CompletableFuture<QueuePair> outcome = new CompletableFuture<>();
        if (closed.get()) {
            outcome.completeExceptionally(new RdmaException(Reason.DISCONNECTED, "iwarp: the provider is closed"));
            return outcome.minimalCompletionStage();
        }
        try {
            SocketChannel channel = SocketChannel.open();
            Wire wire = wire(channel);
            SocketHandler.keepAlive(channel, parameters.keepAlive());
            SocketHandler sockets = nextHandler();
            InitiatorHandshake handshake =
                    new InitiatorHandshake(sockets, channel, wire, this, remote, request, parameters, handler, outcome);
            sockets.loop().execute(handshake::start);
        } catch (IOException e) {
            outcome.completeExceptionally(
                    new RdmaException(Reason.NO_RESOURCES, "iwarp to " + remote + ": no socket: " + e.getMessage(), e));
        }
        return outcome.minimalCompletionStage();
    }

    @Override
    public RdmaListener listen(InetSocketAddress local, int sharedReceives, ConnectionAcceptor acceptor)
            throws RdmaException {
        if (closed.get()) {
            throw new RdmaException(Reason.DISCONNECTED, "iwarp: the provider is closed");
        }
        ServerSocketChannel channel;
        try {
            channel = ServerSocketChannel.open();
        } catch (IOException e) {
            throw new RdmaException(Reason.NO_RESOURCES, "iwarp: no socket to listen on: " + e.getMessage(), e);
        }
        try {
            channel.bind(local, BACKLOG).configureBlocking(false);
            return new IwarpListener(this, channel, sharedReceives, acceptor);
        } catch (IOException | RuntimeException e) {
            SocketHandler.closeQuietly(channel);
            throw new RdmaException(
                    Reason.ADDRESS_UNAVAILABLE,
                    "iwarp: cannot listen on " + local + ": " + SocketHandler.describe(e),
                    e);
        }
    }

    /** As {@link RdmaProvider#close}. Waits a bounded time for the threads to end, unless called on one of them. */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        counters.closed();
        loops.shutDown(options.drainTimeout().multipliedBy(2));
    }

    /** Opens software iWARP with {@link IwarpOptions#DEFAULTS}; works wherever TCP does. */
    public static final class Factory implements RdmaProviderFactory {

        @Override
        public String name() {
            return IwarpProvider.NAME;
        }

        @Override
        public Optional<String> unavailableReason() {
            return Optional.empty();
        }

        @Override
        public List<DeviceDescription> devices() {
            return List.of(new DeviceDescription(
                    "software",
                    "iWARP",
                    "active",
                    List.of("any"),
                    List.of(
                            new Capability("memory registration", "without limit, pins nothing"),
                            new Capability("remote access", "per call and connection"),
                            new Capability("remote invalidation", "both ways"),
                            new Capability("shared receive queue", "yes, without limit"),
                            new Capability("outstanding Reads", "up to " + ReadNegotiation.LARGEST),
                            new Capability("CRC32C", IwarpOptions.DEFAULTS.crc() ? "on" : "as the peer asks"))));
        }

        @Override
        public RdmaProvider open(int eventLoops) throws RdmaException {
            return IwarpProvider.open(IwarpOptions.DEFAULTS.withEventLoops(eventLoops));
        }
    }
}
