// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.tcp;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnsupportedAddressTypeException;
import java.nio.file.InvalidPathException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.emplace.reactor.Acceptor;
import org.emplace.reactor.LoopGroup;
import org.emplace.reactor.SocketHandler;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.RegisteredBuffer;
import org.emplace.rpc.RpcException;
import org.emplace.rpc.limits.ConnectionLimit;
import org.emplace.rpc.limits.MemoryShares;
import org.emplace.rpc.server.ServiceDispatcher;
import org.emplace.rpc.transport.ConnectionRole;
import org.emplace.rpc.transport.RpcTransport;
import org.emplace.rpc.transport.RpcTransport.Connection;
import org.emplace.rpc.transport.RpcTransport.Listener;
import org.emplace.rpc.transport.RuntimeResources;
import org.emplace.xdr.Payload;
import org.jspecify.annotations.Nullable;

/**
 * The transport for {@code tcp://host:port}: RPC with record marking over TCP (RFC 5531 section 11), on IPv4 and IPv6.
 * Clients can also connect to a local socket, {@code unix:/path}, such as rpcbind's.
 */
public final class TcpTransport implements RpcTransport {
    /** The connections that may wait to be accepted, as over software iWARP. The system may permit fewer. */
    private static final int BACKLOG = 1024;

    private static final String UNIX = "unix";

    private static final Duration CLOSING = Duration.ofSeconds(5);

    /** The most bytes of direct memory to keep for later replies. */
    private static final long MOST_KEPT = 1 << 25;

    private final RuntimeResources runtime;

    /** Created with the first connection or listener. Guarded by this, like the next field. */
    private @Nullable Resources resources;

    private boolean closed;

    /** A transport that starts threads when they are needed. */
    public TcpTransport(RuntimeResources runtime) {
        this.runtime = runtime;
    }

    @Override
    public Connection connect(URI address, ConnectionOptions options) throws RpcException {
        if (UNIX.equalsIgnoreCase(address.getScheme())) {
            return connect(address, path(address), options);
        }
        List<InetSocketAddress> peers = RpcTransport.resolveAll(address);
        ConnectionOptions each =
                options.withConnectTimeout(options.connectTimeout().dividedBy(peers.size()));
        RpcException failure = null;
        for (InetSocketAddress peer : peers) {
            try {
                return connect(address, peer, each);
            } catch (RpcException unreachable) {
                if (failure == null) {
                    failure = unreachable;
                } else {
                    failure.addSuppressed(unreachable);
                }
            }
        }
        throw Objects.requireNonNull(failure, "a host has an address");
    }

    private Connection connect(URI address, SocketAddress peer, ConnectionOptions options) throws RpcException {
        SocketChannel socket = null;
        try {
            if (peer instanceof UnixDomainSocketAddress) {
                socket = SocketChannel.open(StandardProtocolFamily.UNIX);
                socket.connect(peer);
            } else {
                socket = SocketChannel.open();
                socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
                SocketHandler.keepAlive(socket, options.keepAlive());
                long timeout = Math.max(1, options.connectTimeout().toMillis());
                socket.socket().connect(peer, (int) Math.min(timeout, Integer.MAX_VALUE));
            }
            socket.configureBlocking(false);
            TcpConnection connection =
                    new TcpConnection(address.toString(), socket, ConnectionRole.initiator(options), resources());
            connection.start();
            return connection;
        } catch (IOException | UnsupportedAddressTypeException failure) {
            SocketHandler.closeQuietly(socket);
            throw new RpcException(
                    RpcException.Kind.NOT_CONNECTED, address + ": " + describe(failure, options), failure);
        } catch (RuntimeException | Error broken) {
            SocketHandler.closeQuietly(socket);
            throw broken;
        }
    }

    private static UnixDomainSocketAddress path(URI address) throws RpcException {
        try {
            return UnixDomainSocketAddress.of(address.getPath());
        } catch (NullPointerException | InvalidPathException notAPath) {
            throw new RpcException(
                    RpcException.Kind.NOT_CONNECTED, address + ": a local address has the form unix:/path", notAPath);
        }
    }

    private static String describe(Exception failure, ConnectionOptions options) {
        if (failure instanceof SocketTimeoutException) {
            return "no answer within " + options.connectTimeout().toMillis() + " ms";
        } else if (failure instanceof ConnectException) {
            return "cannot connect: " + failure.getMessage();
        }
        return SocketHandler.describe(failure);
    }

    @Override
    public Listener listen(URI address, ServiceDispatcher dispatcher, ConnectionOptions options, ConnectionLimit limit)
            throws RpcException {
        if (UNIX.equalsIgnoreCase(address.getScheme())) {
            throw new RpcException(
                    RpcException.Kind.NOT_CONNECTED,
                    address + ": servers cannot listen on local sockets; use tcp://host:port");
        }
        InetSocketAddress local = RpcTransport.resolve(address);
        ServerSocketChannel socket = null;
        try {
            socket = ServerSocketChannel.open();
            socket.bind(local, BACKLOG).configureBlocking(false);
            TcpListener listener =
                    new TcpListener(socket, ConnectionRole.acceptor(options, dispatcher), limit, resources());
            listener.start();
            return listener;
        } catch (IOException | UnsupportedAddressTypeException failure) {
            SocketHandler.closeQuietly(socket);
            throw new RpcException(
                    RpcException.Kind.NOT_CONNECTED,
                    address + ": cannot listen: " + SocketHandler.describe(failure),
                    failure);
        } catch (RuntimeException | Error broken) {
            SocketHandler.closeQuietly(socket);
            throw broken;
        }
    }

    private synchronized Resources resources() throws IOException {
        Resources shared = resources;
        if (closed) {
            throw new IOException("the transport is closed");
        }
        if (shared == null) {
            long memory = runtime.settings().tcpMessageMemory();
            shared = new Resources(
                    runtime,
                    LoopGroup.open("emplace-tcp", runtime.settings().eventLoops()),
                    new MemoryShares(memory),
                    new MemoryShares(memory),
                    new ReplyBuffers(Math.min(MOST_KEPT, memory / 8)));
            resources = shared;
        }
        return shared;
    }

    @Override
    public void close() {
        Resources used;
        synchronized (this) {
            closed = true;
            used = resources;
        }
        if (used != null) {
            used.loops().shutDown(CLOSING);
        }
    }

    /**
     * What all connections of the transport share.
     *
     * @param runtime threads, timers and counts of the runtime
     * @param loops serve the sockets
     * @param requests limits the memory in the heap that the calls of each peer hold
     * @param replies limits the memory that the replies to each peer hold
     * @param replyBuffers the memory for results that replies hold
     */
    record Resources(
            RuntimeResources runtime,
            LoopGroup loops,
            MemoryShares requests,
            MemoryShares replies,
            ReplyBuffers replyBuffers) {}

    /** Opens the transport. */
    public static final class Factory implements RpcTransport.Factory {

        @Override
        public Set<String> schemes() {
            return Set.of("tcp", UNIX);
        }

        @Override
        public RpcTransport open(RuntimeResources runtime) {
            return new TcpTransport(runtime);
        }
    }

    /** A registered buffer for TCP, which needs no registration. */
    static final class TcpBuffer implements RegisteredBuffer {
        private final ByteBuffer bytes;
        private volatile boolean closed;

        private TcpBuffer(ByteBuffer bytes) {
            this.bytes = bytes;
        }

        /** See {@link org.emplace.rpc.RegisteredBuffer.MemoryDomain#register}. */
        static RegisteredBuffer register(ByteBuffer direct) {
            if (!direct.isDirect() || direct.isReadOnly()) {
                throw new IllegalArgumentException("only a direct, writable buffer can be registered: " + direct);
            }
            return new TcpBuffer(direct.slice());
        }

        @Override
        public ByteBuffer buffer() {
            return bytes.duplicate();
        }

        @Override
        public int length() {
            return bytes.capacity();
        }

        @Override
        public Payload payload(int offset, int length) {
            requireOpen();
            return Payload.of(bytes.slice(offset, length));
        }

        @Override
        public CompletionStage<Void> fetch(Payload payload, int offset) {
            requireOpen();
            return payload.fetchInto(bytes.slice(offset, Math.toIntExact(payload.length())));
        }

        private void requireOpen() {
            if (closed) {
                throw new IllegalStateException("the buffer is no longer registered");
            }
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    /** Accepts connections, and closes them when it is closed. */
    private static final class TcpListener implements Listener {
        private static final Logger LOG = System.getLogger(TcpListener.class.getName());

        private final Acceptor acceptor;
        private final ConnectionRole role;
        private final ConnectionLimit limit;
        private final TcpTransport.Resources resources;

        /**
         * Creates a listener, which accepts connections after {@link #start}.
         *
         * @param socket bound and non-blocking
         */
        TcpListener(
                ServerSocketChannel socket,
                ConnectionRole role,
                ConnectionLimit limit,
                TcpTransport.Resources resources)
                throws IOException {
            this.role = role;
            this.limit = limit;
            this.resources = resources;
            this.acceptor = new Acceptor(resources.loops().next(), socket, this::admit, () -> {});
        }

        /** Starts to accept connections. */
        void start() {
            acceptor.start();
        }

        /** Admits a connection, or closes it: TCP cannot reject one that the kernel has accepted. */
        private void admit(SocketChannel accepted) {
            InetSocketAddress peer = (InetSocketAddress) accepted.socket().getRemoteSocketAddress();
            ConnectionLimit.Place place = limit.admit(peer).orElse(null);
            if (place == null) {
                SocketHandler.closeQuietly(accepted);
                return;
            }
            TcpConnection connection;
            try {
                connection = connection(accepted);
            } catch (IOException gone) {
                LOG.log(
                        Level.DEBUG,
                        "a connection to {0} ended while it was being set up: {1}",
                        localAddress(),
                        gone.getMessage());
                SocketHandler.closeQuietly(accepted);
                place.leave();
                return;
            } catch (RuntimeException | Error broken) {
                SocketHandler.closeQuietly(accepted);
                place.leave();
                throw broken;
            }
            try {
                place.occupy(connection);
                connection.start();
            } catch (RuntimeException | Error broken) {
                connection.reset();
                place.leave();
                throw broken;
            }
        }

        private TcpConnection connection(SocketChannel accepted) throws IOException {
            accepted.configureBlocking(false);
            accepted.setOption(StandardSocketOptions.TCP_NODELAY, true);
            SocketHandler.keepAlive(accepted, role.options().keepAlive());
            return new TcpConnection("tcp connection of " + accepted.getRemoteAddress(), accepted, role, resources);
        }

        @Override
        public InetSocketAddress localAddress() {
            return acceptor.localAddress();
        }

        @Override
        public void close() {
            acceptor.close();
            limit.close();
        }
    }
}
