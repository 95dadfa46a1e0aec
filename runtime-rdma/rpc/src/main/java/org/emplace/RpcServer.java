// SPDX-License-Identifier: Apache-2.0
package org.emplace;

import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.emplace.reactor.RuntimeThreads;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.RpcException;
import org.emplace.rpc.RpcProgram;
import org.emplace.rpc.RpcService;
import org.emplace.rpc.ServerLoad;
import org.emplace.rpc.ServerObserver;
import org.emplace.rpc.transport.ConnectionLimit;
import org.emplace.rpc.transport.RpcListener;
import org.emplace.rpc.transport.ServiceDispatcher;
import org.emplace.rpc.transport.TransportAddress;
import org.jspecify.annotations.Nullable;

/**
 * Serves programs at one or more addresses until it is closed.
 *
 * <pre>{@code
 * try (RpcServer server = RpcServer.builder()
 *         .service(Nfs3Server.service(files))
 *         .listen(URI.create("rdma://0.0.0.0"))
 *         .listen(URI.create("tcp://0.0.0.0:2049"))
 *         .start()) { ... }
 * }</pre>
 */
public final class RpcServer implements AutoCloseable {
    private final ServiceDispatcher dispatcher;
    private final List<RpcListener> listeners;
    private final ConnectionLimit limit;
    private final Duration closeTimeout;
    private final @Nullable ServerBean bean;

    private RpcServer(
            ServiceDispatcher dispatcher,
            ConnectionLimit limit,
            List<RpcListener> listeners,
            Duration closeTimeout,
            @Nullable ServerBean bean) {
        this.dispatcher = dispatcher;
        this.limit = limit;
        this.listeners = List.copyOf(listeners);
        this.closeTimeout = closeTimeout;
        this.bean = bean;
    }

    /**
     * A server with 16 threads, a queue of 1024 calls, 1024 connections at most, 30 seconds until an idle one may be closed to make room, at most 16,384
     * replies and 16 MiB of them kept for duplicates, default options, ten seconds to close, and as yet no service and no address.
     */
    public static Builder builder() {
        return new Builder();
    }

    /** The addresses at which the server listens, with their actual ports, in the order in which they were given. */
    public List<InetSocketAddress> addresses() {
        return listeners.stream().map(RpcListener::localAddress).toList();
    }

    /** What the server has in hand now. Numbers read at the same time may be a call apart. Can also be called after {@link #close}. */
    public ServerLoad load() {
        return dispatcher.load(limit);
    }

    /**
     * Drops new calls, waits up to the close timeout until the replies to the others have been sent, and ends all connections. A handler may
     * call this method. It then waits for the other calls but not for its own, which is not answered; the handler's thread is interrupted, like those
     * of other handlers that still run. In a procedure that is {@linkplain RpcService#answeringAtOnce answered at once} this method returns
     * without waiting, because its thread serves connections. Idempotent.
     */
    @Override
    public void close() {
        if (dispatcher.isAnsweringAtOnce()) {
            RuntimeThreads.daemon("emplace-rpc-close", this::closeAndWait).start();
        } else {
            closeAndWait();
        }
    }

    private void closeAndWait() {
        try {
            dispatcher.drain(closeTimeout);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        listeners.forEach(RpcListener::close);
        dispatcher.close();
        if (bean != null) {
            bean.close();
        }
    }

    /** Configures a server. */
    public static final class Builder {
        private final List<RpcService> services = new ArrayList<>();
        private final List<URI> addresses = new ArrayList<>();
        private ConnectionOptions options = ConnectionOptions.DEFAULT;
        private int threads = 16;
        private int queue = 1024;
        private int connections = 1024;
        private Duration idle = ConnectionLimit.DEFAULT_IDLE;
        private int keptReplies = 16_384;
        private long keptBytes = 16 << 20;
        private Duration closeTimeout = Duration.ofSeconds(10);
        private ServerObserver observer = ServerObserver.NONE;

        private Builder() {}

        /** Serves a version of a program. */
        public Builder service(RpcService service) {
            services.add(service);
            return this;
        }

        /**
         * Listens at {@code tcp://host:port} or {@code rdma://host:port}; port 0 takes a free one. {@code rdma://host} takes the port of the first
         * service whose program {@linkplain RpcProgram#rdmaPort has one}.
         */
        public Builder listen(URI address) {
            addresses.add(address);
            return this;
        }

        /** Sets how connections are made; the services' programs {@linkplain ConnectionOptions#forPrograms determine} the default inline threshold. */
        public Builder options(ConnectionOptions options) {
            this.options = options;
            return this;
        }

        /**
         * Sets how many threads answer calls; positive. One client alone has at most seven eighths of them and one connection about three
         * quarters, so that calls that are stuck leave threads to others.
         */
        public Builder threads(int threads) {
            this.threads = threads;
            return this;
        }

        /**
         * Sets how many calls may wait for a thread before further ones are refused; positive. One client alone has at most seven eighths of the
         * places and one connection three quarters.
         */
        public Builder queue(int calls) {
            this.queue = calls;
            return this;
        }

        /**
         * Sets how many connections there are at a time, for all listening addresses together; positive. Further ones are refused: over RDMA
         * they are rejected, over TCP closed. One client alone has at most seven eighths of them, rounded up. For what happens to idle
         * connections then, see {@link #closeIdleAfter}.
         */
        public Builder connections(int most) {
            this.connections = most;
            return this;
        }

        /**
         * Sets how long a connection must have been idle before the server may close it to make room for another; not negative, by default 30
         * seconds. The server does so only if it would otherwise refuse the other: it closes a connection of the same client or, if the server has all
         * the connections that it may have, one of the client that has the most. A connection is idle while no call is in progress on it in either
         * direction; a call that has not arrived completely does not count. Choose a longer time for a server that calls clients back over otherwise
         * silent connections.
         */
        public Builder closeIdleAfter(Duration idle) {
            this.idle = idle;
            return this;
        }

        /**
         * Limits the number and the bytes of the replies that the server keeps for duplicate calls; not negative. The oldest are dropped first. A
         * client that has lost its connection resends calls over another. If a call is the same by the client's IP address, caller, xid, procedure and
         * arguments, the server does not run it again, but sends the reply of the first one, if necessary once that has ended. It keeps replies of
         * procedures that the binding does not mark {@code idempotent}, unless they are longer than a 256th of the bytes. Arguments in Read chunks are
         * compared only by their lengths.
         */
        public Builder replyCache(int replies, long bytes) {
            this.keptReplies = replies;
            this.keptBytes = bytes;
            return this;
        }

        /** Sets how long {@link RpcServer#close} waits for calls to be answered. */
        public Builder closeTimeout(Duration limit) {
            this.closeTimeout = limit;
            return this;
        }

        /** Sets who is told of every call that the server has answered. */
        public Builder observer(ServerObserver observer) {
            this.observer = observer;
            return this;
        }

        /**
         * Starts to listen.
         *
         * @throws RpcException if the server cannot listen at one of the addresses; then it listens at none
         * @throws IllegalArgumentException if a version of a program is given twice, or a number is not positive where it has to be, or a time negative
         */
        public RpcServer start() throws RpcException {
            ConnectionLimit limit = new ConnectionLimit(connections, idle);
            ServerBean bean = ServerBean.isWanted() ? new ServerBean() : null;
            ServiceDispatcher dispatcher =
                    ServiceDispatcher.forManyPeers(threads, queue, keptReplies, keptBytes, observing(bean));
            services.forEach(dispatcher::add);
            List<RpcProgram> programs =
                    services.stream().map(RpcService::program).toList();
            ConnectionOptions serving = options.forPrograms(programs);
            List<RpcListener> listeners = new ArrayList<>();
            try {
                for (URI address : addresses) {
                    URI complete = address.getPort() < 0
                            ? TransportAddress.withPortOf(programs, address).orElse(address)
                            : address;
                    listeners.add(Transports.forAddress(address).listen(complete, dispatcher, serving, limit));
                }
            } catch (RpcException unavailable) {
                listeners.forEach(RpcListener::close);
                dispatcher.close();
                throw unavailable;
            }
            RpcServer server = new RpcServer(dispatcher, limit, listeners, closeTimeout, bean);
            if (bean != null) {
                bean.register(uris(server.addresses()), server::load);
            }
            return server;
        }

        private ServerObserver observing(@Nullable ServerBean bean) {
            if (bean == null) {
                return observer;
            }
            return observer == ServerObserver.NONE ? bean : observer.andThen(bean);
        }

        private List<String> uris(List<InetSocketAddress> bound) {
            return IntStream.range(0, bound.size())
                    .mapToObj(i -> addresses.get(i).getScheme() + "://"
                            + addresses.get(i).getHost() + ":" + bound.get(i).getPort())
                    .toList();
        }
    }
}
