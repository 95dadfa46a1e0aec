// SPDX-License-Identifier: Apache-2.0
package org.emplace;

import java.net.URI;
import java.util.Random;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.RecoveryOptions;
import org.emplace.rpc.RpcConnection;
import org.emplace.rpc.RpcException;
import org.emplace.rpc.recovery.RecoveringConnection;
import org.emplace.rpc.transport.CallbackThreads;
import org.emplace.rpc.transport.Timekeeper;

/**
 * Where clients begin. {@link #client} is what most programs want: its calls survive the loss of a connection. {@link #connect} is one connection,
 * whose end ends its calls.
 */
public final class Rpc {
    private static final String RECOVERY_THREADS = "emplace-recovery";
    private static final Timekeeper RECOVERY_TIME = Timekeeper.system(RECOVERY_THREADS + "-timer");
    private static final Executor RECOVERY = CallbackThreads.daemons(RECOVERY_THREADS);
    private static final RandomGenerator RANDOM = new Random();

    private Rpc() {}

    /** A client with {@link ConnectionOptions#DEFAULT}; see {@link #client(URI, ConnectionOptions, RecoveryOptions)}. */
    public static RpcConnection client(URI address) throws RpcException {
        return client(address, ConnectionOptions.DEFAULT);
    }

    /** A client with {@link RecoveryOptions#DEFAULT}; see {@link #client(URI, ConnectionOptions, RecoveryOptions)}. */
    public static RpcConnection client(URI address, ConnectionOptions options) throws RpcException {
        return client(address, options, RecoveryOptions.DEFAULT);
    }

    /**
     * Connects as {@link #connect(URI, ConnectionOptions)}, and connects again when the connection is lost and there are calls to make, looking the host
     * up anew. Calls that have no reply by then are sent again under the same xid, as their {@linkplain org.emplace.rpc.CallOptions.Recovery options}
     * say: their callers see a pause. A server that has a duplicate request cache, as {@link RpcServer}, performs such a call once; one that has none,
     * or has been restarted meanwhile, may perform it twice. What was sent before a loss and what is sent after it may be performed in another order.
     *
     * <p>It is closed by {@link RpcConnection#close} alone; {@link RpcConnection#closed} does not complete at the loss of a connection. What
     * is {@linkplain RpcConnection#serve served} to the peer is so over each connection.
     *
     * @throws RpcException of kind NOT_CONNECTED if the first connection cannot be made, with the reason in one line
     */
    public static RpcConnection client(URI address, ConnectionOptions options, RecoveryOptions recovery)
            throws RpcException {
        return RecoveringConnection.connect(
                address, Transports.forAddress(address), options, recovery, RECOVERY_TIME, RECOVERY, RANDOM);
    }

    /**
     * The address of a program whose port is not known, to connect to: with the port that the host's rpcbind says, which is asked over TCP (RFC 1833).
     * Where that cannot be reached, or does not know the program by this transport (as Linux does not register NFS over RDMA), it is the usual port.
     * Blocks for ten seconds at most.
     *
     * @param address {@code tcp://host} or {@code rdma://host}; if it has a port it is the answer
     * @param usualPort as the binding's {@code RDMA_PORT}; 0 if there is none
     * @throws RpcException of rpcbind if there is no usual port, of kind PROGRAM_UNAVAILABLE if the program is not registered; of kind NOT_CONNECTED
     *     if the host is unknown
     */
    public static URI locate(URI address, long program, long version, int usualPort)
            throws RpcException, InterruptedException {
        if (address.getPort() >= 0) {
            return address;
        }
        try {
            return RpcbindQuery.atHostOf(address).locate(address, program, version);
        } catch (RpcException unknown) {
            if (usualPort == 0) {
                throw unknown;
            }
            return RpcbindQuery.withPort(address, usualPort);
        }
    }

    /** Connects with {@link ConnectionOptions#DEFAULT}; see {@link #connect(URI, ConnectionOptions)}. */
    public static RpcConnection connect(URI address) throws RpcException {
        return connect(address, ConnectionOptions.DEFAULT);
    }

    /**
     * Connects to {@code tcp://host:port}, {@code rdma://host:port}, or by {@code unix:/path} to a socket of this machine. Blocks for at most the
     * options' timeout.
     *
     * @throws RpcException of kind NOT_CONNECTED, with the reason in one line
     */
    public static RpcConnection connect(URI address, ConnectionOptions options) throws RpcException {
        return Transports.forAddress(address).connect(address, options);
    }
}
