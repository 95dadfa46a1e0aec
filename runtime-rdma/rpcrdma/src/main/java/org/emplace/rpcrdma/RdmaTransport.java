// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.emplace.RpcRuntime;
import org.emplace.rdma.ConnectionParameters;
import org.emplace.rdma.QueuePair;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaListener;
import org.emplace.rdma.RdmaListener.ConnectionAcceptor;
import org.emplace.rdma.RdmaProviderFactory;
import org.emplace.rdma.Receives.SharedReceiveQueue;
import org.emplace.reactor.LogSampler;
import org.emplace.reactor.Peer;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.RdmaDevice;
import org.emplace.rpc.RpcException;
import org.emplace.rpc.RpcException.Kind;
import org.emplace.rpc.limits.ConnectionLimit;
import org.emplace.rpc.limits.ConnectionLimit.Place;
import org.emplace.rpc.server.ServiceDispatcher;
import org.emplace.rpc.transport.ConnectionRole;
import org.emplace.rpc.transport.RpcTransport;
import org.emplace.rpc.transport.RpcTransport.Connection;
import org.emplace.rpc.transport.RpcTransport.Listener;
import org.emplace.rpc.transport.RuntimeResources;
import org.emplace.rpcrdma.InstalledDevices.Device;
import org.emplace.rpcrdma.InstalledDevices.DeviceSearch;
import org.emplace.rpcrdma.link.ConnectionReceives;
import org.emplace.rpcrdma.link.SharedReceives;

/**
 * The transport for {@code rdma://host:port}: RPC-over-RDMA version 1. It uses the first {@link RdmaProviderFactory
 * provider} that has a device with a route to the host or, for listening, with the address; hardware comes before
 * software iWARP. If the runtime or the system property {@value RpcRuntime#RDMA_PROVIDER_PROPERTY} names a provider, it uses
 * only that one.
 * If the peer does not answer one provider, no other is tried; the message of the failure has a hint.
 */
public final class RdmaTransport implements RpcTransport {
    private static final System.Logger LOG = System.getLogger(RdmaTransport.class.getName());

    private final InstalledDevices devices;
    private final DeviceSearch search;
    private final RuntimeResources resources;

    /** A transport with the providers that this thread finds. It opens devices when it first needs them. */
    public RdmaTransport(RuntimeResources resources) {
        this(
                new InstalledDevices(RdmaProviderFactory.installed(), resources.settings()),
                RdmaTransport::announce,
                resources);
    }

    private static void announce(String choice) {
        LOG.log(Level.INFO, choice);
    }

    /** @param announcement gets one line for each host: which provider was selected, and why */
    RdmaTransport(InstalledDevices devices, Consumer<String> announcement, RuntimeResources resources) {
        this.devices = devices;
        this.search = new DeviceSearch(devices, announcement);
        this.resources = resources;
    }

    @Override
    public Connection connect(URI address, ConnectionOptions options) throws RpcException {
        RdmaException failure = null;
        for (InetSocketAddress remote : RpcTransport.resolveAll(address)) {
            try {
                return search.first("to", remote, device -> connect(device, remote, options));
            } catch (RdmaException unreachable) {
                if (failure == null) {
                    failure = unreachable;
                } else {
                    failure.addSuppressed(unreachable);
                }
            }
        }
        throw notConnected(address, Objects.requireNonNull(failure, "a host has an address"));
    }

    private Connection connect(Device device, InetSocketAddress remote, ConnectionOptions options)
            throws RdmaException {
        CompletableFuture<RdmaConnection> established = new CompletableFuture<>();
        RdmaException ended = new RdmaException(
                RdmaException.Reason.DISCONNECTED, "rdma to " + remote + ": the connection ended during its set-up");
        ConnectionRole role = ConnectionRole.initiator(options);
        QueuePairHandler handler = new QueuePairHandler(
                device, role, resources, established::complete, () -> established.completeExceptionally(ended));
        // Made before the attempt begins, which goes on whatever happens here.
        Function<QueuePair, CompletionStage<RdmaConnection>> next = queuePair -> established;
        BiConsumer<RdmaConnection, Throwable> over = (connection, failure) -> {
            if (failure != null) {
                handler.failed();
            }
        };
        CompletionStage<QueuePair> attempt;
        try {
            ConnectionParameters parameters = handler.parameters(QueuePairHandler.ownReceives(device, role));
            attempt = device.provider().connect(remote, parameters, handler);
        } catch (RdmaException | RuntimeException | Error failure) {
            handler.failed();
            throw failure;
        }
        return await(attempt.thenCompose(next).whenComplete(over), options);
    }

    @Override
    public Listener listen(URI address, ServiceDispatcher dispatcher, ConnectionOptions options, ConnectionLimit limit)
            throws RpcException {
        InetSocketAddress local = RpcTransport.resolve(address);
        try {
            return search.first(
                    "at",
                    local,
                    device -> new RdmaRpcListener(
                            device, local, ConnectionRole.acceptor(options, dispatcher), limit, resources));
        } catch (RdmaException failure) {
            throw notConnected(address, failure);
        }
    }

    /** Waits a little longer than the provider, whose timeout has a better message. */
    private static RdmaConnection await(CompletionStage<RdmaConnection> connecting, ConnectionOptions options)
            throws RdmaException {
        long limit = options.connectTimeout().toMillis() + 1000;
        try {
            return connecting.toCompletableFuture().get(limit, TimeUnit.MILLISECONDS);
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof RdmaException known) {
                throw known;
            }
            throw new RdmaException(RdmaException.Reason.UNREACHABLE, String.valueOf(failed.getCause()), failed);
        } catch (TimeoutException slow) {
            connecting.thenAccept(RdmaConnection::close);
            throw new RdmaException(RdmaException.Reason.TIMED_OUT, "no connection within " + limit + " ms", slow);
        } catch (InterruptedException interrupted) {
            connecting.thenAccept(RdmaConnection::close);
            Thread.currentThread().interrupt();
            throw new RdmaException(RdmaException.Reason.TIMED_OUT, "interrupted while connecting", interrupted);
        }
    }

    private static RpcException notConnected(URI address, RdmaException failure) {
        return new RpcException(Kind.NOT_CONNECTED, address + ": " + failure.getMessage(), failure);
    }

    @Override
    public List<String> rdmaProviders() {
        return devices.providers();
    }

    @Override
    public List<RdmaDevice> rdmaDevices(String provider) throws RpcException {
        try {
            return devices.describe(provider);
        } catch (RdmaException unavailable) {
            throw new RpcException(Kind.NOT_CONNECTED, provider + ": " + unavailable.getMessage(), unavailable);
        }
    }

    @Override
    public void close() {
        devices.close();
    }

    /** Opens the transport. */
    public static final class Factory implements RpcTransport.Factory {

        @Override
        public Set<String> schemes() {
            return Set.of("rdma");
        }

        @Override
        public RpcTransport open(RuntimeResources resources) {
            return new RdmaTransport(resources);
        }
    }

    /**
     * Accepts connections. The dispatcher answers their calls. The connections share the Receives of the device's shared
     * receive queue if there is one; otherwise each has its own. Safe for use by several threads.
     */
    private static final class RdmaRpcListener implements Listener {
        private static final Logger LOG = System.getLogger(RdmaRpcListener.class.getName());

        /** The requested capacity of a shared receive queue. With messages of 8 KiB, it needs 64 MiB. */
        private static final int SHARED_RECEIVES = 8192;

        private final Device device;
        private final ConnectionRole role;
        private final ConnectionLimit limit;
        private final RuntimeResources resources;
        private final LogSampler shortages = new LogSampler();
        /** Guarded by itself. */
        private final Map<SharedReceiveQueue, SharedReceives> shared = new HashMap<>();

        private final RdmaListener listener;

        RdmaRpcListener(
                Device device,
                InetSocketAddress local,
                ConnectionRole role,
                ConnectionLimit limit,
                RuntimeResources resources)
                throws RdmaException {
            this.device = device;
            this.role = role;
            this.limit = limit;
            this.resources = resources;
            this.listener = device.provider().listen(local, SHARED_RECEIVES, this::requested);
        }

        private void requested(ConnectionAcceptor.Request request) {
            Place place =
                    offersReads(request) ? limit.admit(request.remoteAddress()).orElse(null) : null;
            if (place == null) {
                request.reject(new byte[0]);
                return;
            }
            QueuePairHandler handler;
            try {
                handler = new QueuePairHandler(device, role, resources, place::occupy, place::leave);
            } catch (RuntimeException | Error broken) {
                place.leave();
                throw broken;
            }
            try {
                request.accept(handler.parameters(receives(request)), handler);
            } catch (RdmaException exhausted) {
                shortages.event(count -> LOG.log(
                        Level.WARNING,
                        "rejected {0}: {1}; such connections so far: {2}",
                        request.remoteAddress(),
                        exhausted.getMessage(),
                        count));
                handler.failed();
                request.reject(new byte[0]);
            } catch (RuntimeException | Error broken) {
                handler.failed();
                throw broken;
            }
        }

        /**
         * Whether the peer permits RDMA Reads. Without them it could use neither Long Calls nor Read chunks; Linux rejects
         * such a peer, too.
         */
        private static boolean offersReads(ConnectionAcceptor.Request request) {
            if (request.initiatorInboundReads() > 0) {
                return true;
            }
            LOG.log(Level.DEBUG, "rejected {0}: it does not permit RDMA Reads", request.remoteAddress());
            return false;
        }

        /**
         * Returns the Receives of one connection.
         *
         * @throws RdmaException with reason NO_RESOURCES if there is no memory for them, or if all shared ones have been
         *     promised to other peers
         */
        private ConnectionReceives receives(ConnectionAcceptor.Request request) throws RdmaException {
            SharedReceiveQueue queue = request.sharedReceiveQueue().orElse(null);
            return queue == null
                    ? QueuePairHandler.ownReceives(device, role)
                    : receives(queue).join(Peer.of(request.remoteAddress().getAddress()), role.creditsToGrant());
        }

        private SharedReceives receives(SharedReceiveQueue queue) throws RdmaException {
            synchronized (shared) {
                SharedReceives receives = shared.get(queue);
                if (receives == null) {
                    receives = new SharedReceives(
                            queue, device.memory().pool(), QueuePairHandler.receiveSize(role.options()));
                    CompletionStage<Void> unused = queue.closed().thenRun(() -> forget(queue));
                    shared.put(queue, receives);
                    LOG.log(
                            Level.DEBUG,
                            "opened a shared receive queue with a capacity of {0,number,#} Receives",
                            queue.capacity());
                }
                return receives;
            }
        }

        private void forget(SharedReceiveQueue queue) {
            synchronized (shared) {
                SharedReceives over = shared.remove(queue);
                if (over != null) {
                    over.close();
                }
            }
        }

        @Override
        public InetSocketAddress localAddress() {
            return listener.localAddress();
        }

        @Override
        public void close() {
            listener.close();
            limit.close();
        }
    }
}
