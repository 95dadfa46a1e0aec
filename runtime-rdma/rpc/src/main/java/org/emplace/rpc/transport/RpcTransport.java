// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.transport;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.emplace.rpc.CallOptions;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.Destinations;
import org.emplace.rpc.Procedure;
import org.emplace.rpc.RdmaDevice;
import org.emplace.rpc.RpcCall;
import org.emplace.rpc.RpcClient;
import org.emplace.rpc.RpcConnection;
import org.emplace.rpc.RpcException;
import org.emplace.rpc.RpcProgram;
import org.emplace.rpc.ServerCall;
import org.emplace.rpc.limits.ConnectionLimit;
import org.emplace.rpc.server.ServiceDispatcher;
import org.emplace.xdr.EncodedMessage;
import org.emplace.xdr.EncodedMessage.ChunkMark.PayloadMark;
import org.emplace.xdr.Payload;
import org.jspecify.annotations.Nullable;

/**
 * Carries RPC messages. Implementations must be safe for use by several threads.
 */
public interface RpcTransport extends AutoCloseable {

    /** Opens transports of one kind. {@link java.util.ServiceLoader} finds the installed factories. */
    interface Factory {

        /** The URI schemes that the transports support, such as {@code tcp} or {@code rdma}. */
        Set<String> schemes();

        /** Opens a transport, which starts threads and opens devices when it is used. */
        RpcTransport open(RuntimeResources resources);
    }

    /**
     * Connects to {@code scheme://host:port}. Blocks for little more than the connect timeout of the options, plus the
     * time to look up the host.
     *
     * @throws RpcException of kind NOT_CONNECTED if the connection cannot be made
     */
    Connection connect(URI address, ConnectionOptions options) throws RpcException;

    /**
     * Listens at {@code scheme://host:port}; port 0 selects a free port.
     *
     * @param dispatcher answers the calls that arrive over the accepted connections
     * @param limit admits or refuses each connection
     * @throws RpcException if the address is in use, or does not belong to this machine
     */
    Listener listen(URI address, ServiceDispatcher dispatcher, ConnectionOptions options, ConnectionLimit limit)
            throws RpcException;

    /** See {@link org.emplace.RpcRuntime#rdmaProviders}. */
    default List<String> rdmaProviders() {
        return List.of();
    }

    /** See {@link org.emplace.RpcRuntime#rdmaDevices}. */
    default List<RdmaDevice> rdmaDevices(String provider) throws RpcException {
        throw new RpcException(RpcException.Kind.NOT_CONNECTED, "this transport has no RDMA provider " + provider);
    }

    /**
     * Closes what is left: listeners, connections, devices, and the threads that serve them. Waits a bounded time. Nothing
     * can be opened afterward. Idempotent.
     */
    @Override
    void close();

    /**
     * Returns the socket address of a URI, the first of those that its host has. An IPv6 address must be in brackets.
     *
     * @throws RpcException of kind NOT_CONNECTED if the URI has no host or port, or if the host is unknown
     */
    static InetSocketAddress resolve(URI address) throws RpcException {
        return resolveAll(address).get(0);
    }

    /** As {@link #resolve}, but returns all addresses of the host, in the order in which the resolver gives them. */
    static List<InetSocketAddress> resolveAll(URI address) throws RpcException {
        Optional<String> host = host(address);
        int port = port(address);
        if (host.isEmpty() || port < 0 || port > 65535) {
            throw new RpcException(
                    RpcException.Kind.NOT_CONNECTED,
                    address
                            + ": an address has the form scheme://host:port, an IPv6 host in brackets; to leave the port out,"
                            + " name the program to connect to, or serve one whose binding has an RDMA port");
        }
        try {
            return Arrays.stream(InetAddress.getAllByName(host.get()))
                    .map(found -> new InetSocketAddress(found, port))
                    .toList();
        } catch (UnknownHostException unknown) {
            throw new RpcException(RpcException.Kind.NOT_CONNECTED, address + ": unknown host", unknown);
        }
    }

    /** The host of a URI, an IPv6 address in brackets. Other than {@link URI#getHost}, it knows names with an underscore. */
    static Optional<String> host(URI address) {
        return Optional.ofNullable(address.getHost()).or(() -> named(address).map(parts -> parts.group(1)));
    }

    /** The port of a URI; -1 if it has none. */
    static int port(URI address) {
        return address.getHost() != null
                ? address.getPort()
                : named(address)
                        .flatMap(parts -> Optional.ofNullable(parts.group(2)))
                        .map(Integer::valueOf)
                        .orElse(-1);
    }

    private static Optional<Matcher> named(URI address) {
        return Optional.ofNullable(address.getAuthority())
                .map(Pattern.compile("([\\w.-]+)(?::(\\d{1,5}))?")::matcher)
                .filter(Matcher::matches);
    }

    /** Returns an address with the given port, in place of any other. */
    static URI withPort(URI address, int port) {
        return URI.create(address.getScheme() + "://" + host(address).orElseThrow() + ":" + port);
    }

    /**
     * Returns an address with the port of the first program whose binding has one. Empty if none has, or if the address
     * is not for RDMA or has no host.
     */
    static Optional<URI> withPortOf(List<RpcProgram> programs, URI address) {
        if (!"rdma".equalsIgnoreCase(address.getScheme()) || host(address).isEmpty()) {
            return Optional.empty();
        }
        return programs.stream()
                .flatMapToInt(program -> program.rdmaPort().stream())
                .mapToObj(port -> withPort(address, port))
                .findFirst();
    }

    /** An address at which a transport accepts connections. */
    interface Listener extends AutoCloseable {

        /** The address, with the actual port. */
        InetSocketAddress localAddress();

        /**
         * Stops accepting connections, and closes those of the server: all that its {@link ConnectionLimit} has admitted.
         * Waits a short time until they have ended. Idempotent.
         */
        @Override
        void close();
    }

    /** A connection of a transport, in either role: the end that connected serves its peer, the end that accepted calls it
     * back. A client that reconnects resends calls with the same xid over it. */
    interface Connection extends RpcClient, ServerCall.Connection {

        /**
         * Like {@link RpcConnection#call(Procedure, Object, Destinations, CallOptions)}, with a given xid.
         *
         * @throws IllegalStateException if a call with this xid already waits for its reply
         */
        <A, R> RpcCall<R> call(
                int xid, Procedure<A, R> procedure, A arguments, Destinations destinations, CallOptions options);

        /** Whether a call made now would be sent at once, because there is a credit for which no other call waits. */
        boolean hasCredit();

        /**
         * Closes the connection, and discards what has been sent and not yet delivered, so far as the transport can. Called
         * when the peer must not receive a call any more whose caller no longer waits.
         */
        default void reset() {
            close();
        }
    }

    /**
     * A payload whose bytes a transport has not yet fetched from the peer. A call that passes it on waits for the bytes
     * without blocking a thread.
     */
    interface RemotePayload extends Payload {

        /**
         * Starts to fetch the bytes. The stage completes in bounded time, normally or not, when {@link #buffer} no longer
         * blocks.
         */
        CompletionStage<?> fetched();

        /**
         * Starts to fetch the remote payloads of a message.
         *
         * @return completes when all have been fetched or have failed; null if that is already the case
         */
        static @Nullable CompletionStage<?> fetchAll(EncodedMessage message) {
            List<CompletableFuture<?>> fetches = List.of();
            for (int i = 0; i < message.marks().size(); i++) {
                if (message.marks().get(i) instanceof PayloadMark item) {
                    Payload payload = item.payload();
                    for (int j = 0; j < payload.pieceCount(); j++) {
                        if (payload.piece(j) instanceof RemotePayload remote) {
                            fetches = fetches.isEmpty() ? new ArrayList<>(1) : fetches;
                            fetches.add(remote.fetched().toCompletableFuture());
                        }
                    }
                }
            }
            if (fetches.isEmpty()) {
                return null;
            }
            CompletableFuture<Void> all = CompletableFuture.allOf(fetches.toArray(CompletableFuture<?>[]::new));
            return all.isDone() ? null : all;
        }
    }
}
