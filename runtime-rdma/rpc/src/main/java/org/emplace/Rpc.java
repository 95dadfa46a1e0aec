// SPDX-License-Identifier: Apache-2.0
package org.emplace;

import java.net.URI;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.RecoveryOptions;
import org.emplace.rpc.RpcConnection;
import org.emplace.rpc.RpcException;
import org.emplace.rpc.RpcProgram;
import org.emplace.rpc.recovery.RecoveringConnection;
import org.emplace.rpc.transport.CallbackThreads;
import org.emplace.rpc.transport.RpcTransport;
import org.emplace.rpc.transport.Timekeeper;
import org.emplace.rpc.transport.TransportAddress;

/**
 * Where clients begin. {@link #client} is what most programs want: its calls survive the loss of a connection. {@link #connect} is one connection,
 * whose end ends its calls.
 *
 * <p>Both can be told for which programs they connect, the generated constants {@code PROGRAM}. If the address has no port, it is that of the first
 * program, which {@link #locate} finds. The {@linkplain ConnectionOptions#forPrograms inline threshold} is that of all of them.
 */
public final class Rpc {
    private static final String RECOVERY_THREADS = "emplace-recovery";
    private static final Timekeeper RECOVERY_TIME = Timekeeper.system(RECOVERY_THREADS + "-timer");
    private static final Executor RECOVERY = CallbackThreads.daemons(RECOVERY_THREADS);
    private static final RandomGenerator RANDOM = new Random();

    private Rpc() {}

    /** A client with {@link ConnectionOptions#DEFAULT}; see {@link #client(URI, ConnectionOptions, RecoveryOptions, RpcProgram...)}. */
    public static RpcConnection client(URI address, RpcProgram... programs) throws RpcException {
        return client(address, ConnectionOptions.DEFAULT, programs);
    }

    /** A client with {@link RecoveryOptions#DEFAULT}; see {@link #client(URI, ConnectionOptions, RecoveryOptions, RpcProgram...)}. */
    public static RpcConnection client(URI address, ConnectionOptions options, RpcProgram... programs)
            throws RpcException {
        return client(address, options, RecoveryOptions.DEFAULT, programs);
    }

    /**
     * Connects as {@link #connect(URI, ConnectionOptions, RpcProgram...)}, and connects again when the connection is lost and there are calls to make,
     * looking the host up anew, but not the port. Calls that have no reply by then are sent again under the same xid, as their {@linkplain
     * org.emplace.rpc.CallOptions.Recovery options} say: their callers see a pause. A server that has a duplicate request cache, as {@link RpcServer},
     * performs such a call once; one that has none, or has been restarted meanwhile, may perform it twice. What was sent before a loss and what is sent
     * after it may be performed in another order.
     *
     * <p>It is closed by {@link RpcConnection#close} alone; {@link RpcConnection#closed} does not complete at the loss of a connection. What
     * is {@linkplain RpcConnection#serve served} to the peer is so over each connection.
     *
     * @throws RpcException of kind NOT_CONNECTED if the first connection cannot be made, with the reason in one line; as {@link #locate} throws it
     */
    public static RpcConnection client(
            URI address, ConnectionOptions options, RecoveryOptions recovery, RpcProgram... programs)
            throws RpcException {
        RpcTransport transport = Transports.forAddress(address);
        return RecoveringConnection.connect(
                complete(address, programs),
                transport,
                options.forPrograms(List.of(programs)),
                recovery,
                RECOVERY_TIME,
                RECOVERY,
                RANDOM);
    }

    /** Connects with {@link ConnectionOptions#DEFAULT}; see {@link #connect(URI, ConnectionOptions, RpcProgram...)}. */
    public static RpcConnection connect(URI address, RpcProgram... programs) throws RpcException {
        return connect(address, ConnectionOptions.DEFAULT, programs);
    }

    /**
     * Connects to {@code tcp://host:port}, {@code rdma://host:port}, or by {@code unix:/path} to a socket of this machine. Blocks for at most the
     * options' timeout, and for what {@link #locate} takes.
     *
     * @param programs that are called over the connection, or served to the peer; the first one's port is taken if the address has none
     * @throws RpcException of kind NOT_CONNECTED, with the reason in one line; as {@link #locate} throws it
     */
    public static RpcConnection connect(URI address, ConnectionOptions options, RpcProgram... programs)
            throws RpcException {
        RpcTransport transport = Transports.forAddress(address);
        return transport.connect(complete(address, programs), options.forPrograms(List.of(programs)));
    }

    private static URI complete(URI address, RpcProgram... programs) throws RpcException {
        return programs.length == 0 ? address : locate(address, programs[0]);
    }

    /**
     * The address of a program, to connect to: with the port that the host's rpcbind says, which is asked over TCP (RFC 1833). Where that cannot be
     * reached, or does not know the program by this transport (as Linux does not register NFS over RDMA), an RDMA address gets the {@linkplain
     * RpcProgram#rdmaPort port of the binding}. Blocks for ten seconds at most.
     *
     * @param address {@code tcp://host} or {@code rdma://host}; with a port, or without a host, it is the answer itself
     * @throws RpcException if there is no such port: of kind PROGRAM_UNAVAILABLE if rpcbind does not know the program; of kind NOT_CONNECTED if it
     *     cannot be reached, or the host is unknown
     */
    public static URI locate(URI address, RpcProgram program) throws RpcException {
        if (address.getPort() >= 0 || address.getHost() == null) {
            return address;
        }
        try {
            return RpcbindQuery.atHostOf(address).locate(address, program);
        } catch (RpcException unknown) {
            return TransportAddress.withPortOf(List.of(program), address).orElseThrow(() -> unknown);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new RpcException(
                    RpcException.Kind.NOT_CONNECTED, address + ": interrupted while rpcbind was asked", interrupted);
        }
    }
}
