// SPDX-License-Identifier: Apache-2.0
package org.emplace;

import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.emplace.reactor.Workers;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.RpcException;
import org.emplace.rpc.RpcProgram;
import org.emplace.rpc.RpcService;
import org.emplace.rpc.ServerLoad;
import org.emplace.rpc.ServerObserver;
import org.emplace.rpc.limits.ConnectionLimit;
import org.emplace.rpc.server.ServiceDispatcher;
import org.emplace.rpc.transport.RpcTransport;
import org.emplace.rpc.transport.RpcTransport.Listener;
import org.jspecify.annotations.Nullable;

/**
 * A server that answers calls of one or more programs, at one or more addresses, until it is closed.
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
    private final RpcRuntime runtime;
    private final ServiceDispatcher dispatcher;
    private final List<Listener> listeners;
    private final ConnectionLimit limit;
    private final Duration closeTimeout;
    private final @Nullable ServerBean bean;

    private RpcServer(
            RpcRuntime runtime,
            ServiceDispatcher dispatcher,
            ConnectionLimit limit,
            List<Listener> listeners,
            Duration closeTimeout,
            @Nullable ServerBean bean) {
        this.runtime = runtime;
        this.dispatcher = dispatcher;
        this.limit = limit;
        this.listeners = List.copyOf(listeners);
        this.closeTimeout = closeTimeout;
        this.bean = bean;
    }

    /**
     * Returns a builder of a server without services and addresses, on the {@linkplain RpcRuntime#shared shared runtime}. By
     * default, the server has 16 threads, a limit of
     * 1024 connections, a cache of at most 16,384 replies and 16 MiB, {@link
     * ConnectionOptions#DEFAULT}, and a close timeout of ten seconds. It may close connections that have been idle for
     * 30 seconds.
     */
    public static Builder builder() {
        return RpcRuntime.shared().serverBuilder();
    }

    /** The addresses on which the server listens, with their actual ports, in the order in which they were added. */
    public List<InetSocketAddress> addresses() {
        return listeners.stream().map(Listener::localAddress).toList();
    }

    /**
     * The current load of the server. Calls that start or end meanwhile may be in one number and not in another. May
     * also be called after {@link #close}.
     */
    public ServerLoad load() {
        return dispatcher.load(limit);
    }

    /**
     * Closes the server: drops new calls, waits for at most the close timeout until the other calls have been answered,
     * and closes all connections. It then interrupts the threads of handlers that still run. Idempotent.
     *
     * <p>A handler may call this method, which then waits for the other calls but not for the handler's own; that one
     * is not answered. In a procedure that is {@linkplain RpcService#handlingOnLoop handled on the loop}, this method
     * returns without waiting, because the thread serves connections.
     */
    @Override
    public void close() {
        if (dispatcher.isAnsweringAtOnce()) {
            Workers.daemon("emplace-rpc-close", this::closeAndWait).start();
        } else {
            closeAndWait();
        }
    }

    private void closeAndWait() {
        try {
            dispatcher.drain(closeTimeout);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } finally {
            runtime.forget(this);
        }
        listeners.forEach(Listener::close);
        dispatcher.close();
        if (bean != null) {
            bean.close();
        }
    }

    /** Configures a server. Used by one thread. */
    public static final class Builder {
        private final RpcRuntime runtime;
        private final List<RpcService> services = new ArrayList<>();
        private final List<URI> addresses = new ArrayList<>();
        private ConnectionOptions options = ConnectionOptions.DEFAULT;
        private int threads = 16;
        private int connections = 1024;
        private Duration idle = ConnectionLimit.DEFAULT_IDLE;
        private int keptReplies = 16_384;
        private long keptBytes = 16 << 20;
        private Duration closeTimeout = Duration.ofSeconds(10);
        private ServerObserver observer = ServerObserver.NONE;

        Builder(RpcRuntime runtime) {
            this.runtime = runtime;
        }

        /** Adds a service. A server has at most one for each version of a program. */
        public Builder service(RpcService service) {
            services.add(service);
            return this;
        }

        /**
         * Adds an address to listen on: {@code tcp://host:port} or {@code rdma://host:port}. Port 0 selects a free
         * port. {@code rdma://host} selects the port of the first service whose program {@linkplain RpcProgram#rdmaPort
         * has one}.
         */
        public Builder listen(URI address) {
            addresses.add(address);
            return this;
        }

        /**
         * Sets the options of connections. The programs of the services {@linkplain ConnectionOptions#forPrograms
         * determine} the default inline threshold.
         */
        public Builder options(ConnectionOptions options) {
            this.options = options;
            return this;
        }

        /**
         * Sets the number of threads that run handlers; positive. One client uses at most seven eighths of them, and
         * one connection about three quarters, so that handlers that hang leave threads for other clients. A client whose
         * calls hold their threads for less than half a millisecond on average uses as many as there are processors. Calls that
         * find no thread wait for one, as many as the connections' {@linkplain ConnectionOptions#credits credits} allow.
         */
        public Builder threads(int threads) {
            this.threads = threads;
            return this;
        }

        /**
         * Sets the maximum number of connections, for all addresses together; positive. Further ones are rejected over
         * RDMA, and closed over TCP, unless an {@linkplain #closeIdleAfter idle connection} can be closed instead. One
         * client has at most seven eighths of the connections, rounded up.
         */
        public Builder maxConnections(int most) {
            this.connections = most;
            return this;
        }

        /**
         * Sets how long a connection must have been idle before the server may close it in favor of a new one; not
         * negative, by default 30 seconds. The server closes an idle connection only if it would otherwise reject the
         * new one: a connection of the same client or, if the server has reached its limit, of the client with the most
         * connections. A connection is idle while no call is in progress on it in either direction; a call that has not
         * arrived completely does not count. Choose a longer time if the server calls clients back over connections
         * that are otherwise idle.
         */
        public Builder closeIdleAfter(Duration idle) {
            this.idle = idle;
            return this;
        }

        /**
         * Limits the duplicate request cache: the number and the total bytes of the replies that it keeps; not
         * negative. The cache drops the oldest replies first, of the procedure that has the most.
         *
         * <p>A client that has lost its connection resends calls over another one. If the client's IP address, caller,
         * xid, procedure and arguments are those of an earlier call, the server does not run the call again. It sends
         * the reply of the earlier call, after waiting for it if necessary. Arguments in Read chunks are compared only
         * by their lengths. The cache keeps replies of procedures that the binding does not mark {@code idempotent}, up
         * to a 256th of its bytes each.
         */
        public Builder replyCache(int replies, long bytes) {
            this.keptReplies = replies;
            this.keptBytes = bytes;
            return this;
        }

        /** Sets how long {@link RpcServer#close} waits for replies. */
        public Builder closeTimeout(Duration limit) {
            this.closeTimeout = limit;
            return this;
        }

        /** Sets the observer of the calls that the server answers. */
        public Builder observer(ServerObserver observer) {
            this.observer = observer;
            return this;
        }

        /**
         * Creates the server, which starts listening.
         *
         * @throws RpcException if the server cannot listen on one of the addresses; then it listens on none
         * @throws IllegalArgumentException if there are two services for a version of a program, or a number or time is
         *     out of range
         */
        public RpcServer start() throws RpcException {
            ConnectionLimit limit = new ConnectionLimit(connections, idle);
            ServerBean bean = Boolean.getBoolean(ServerBean.PROPERTY) ? new ServerBean() : null;
            ServiceDispatcher dispatcher =
                    ServiceDispatcher.forManyPeers(threads, keptReplies, keptBytes, observing(bean), runtime.time());
            services.forEach(dispatcher::add);
            List<RpcProgram> programs =
                    services.stream().map(RpcService::program).toList();
            ConnectionOptions serving = options.forPrograms(programs);
            List<Listener> listeners = new ArrayList<>();
            try {
                for (URI address : addresses) {
                    URI complete = address.getPort() < 0
                            ? RpcTransport.withPortOf(programs, address).orElse(address)
                            : address;
                    listeners.add(runtime.transport(address).listen(complete, dispatcher, serving, limit));
                }
            } catch (RpcException | RuntimeException | Error unavailable) {
                listeners.forEach(Listener::close);
                dispatcher.close();
                throw unavailable;
            }
            RpcServer server = new RpcServer(runtime, dispatcher, limit, listeners, closeTimeout, bean);
            if (bean != null) {
                bean.register(uris(server.addresses()), server::load);
            }
            runtime.started(server);
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
