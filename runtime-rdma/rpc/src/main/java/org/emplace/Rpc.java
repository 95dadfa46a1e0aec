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
 * Connects clients to servers. Most programs use {@link #client}, whose calls survive the loss of a connection. {@link #connect} makes one connection,
 * whose end ends its calls.
 *
 * <p>Both accept the programs that the connection is for: the generated constants {@code PROGRAM}. If the address has no port, {@link #locate} finds
 * that of the first program. All of them determine the {@linkplain ConnectionOptions#forPrograms inline threshold}.
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
     * Connects like {@link #connect(URI, ConnectionOptions, RpcProgram...)}. If the connection is lost and there are calls to make, the client connects
     * again and resolves the host again. If it cannot connect, and the address has no port, it also asks for the port again. It then resends the calls
     * without a reply, with the same xid, as their {@linkplain org.emplace.rpc.CallOptions.Recovery options} say: their callers see a pause. A server with a duplicate request cache, such as {@link RpcServer},
     * runs such a call once; a server without one, or one that was restarted meanwhile, may run it twice. Calls sent before a loss and calls sent after
     * it may run in another order.
     *
     * <p>Only {@link RpcConnection#close} closes the client; {@link RpcConnection#closed} does not complete when a connection is lost. Programs that
     * are {@linkplain RpcConnection#serve served} to the peer are served over each connection.
     *
     * @throws RpcException of kind NOT_CONNECTED if the first connection cannot be made, with the reason in one line; or as {@link #locate} throws it
     */
    public static RpcConnection client(
            URI address, ConnectionOptions options, RecoveryOptions recovery, RpcProgram... programs)
            throws RpcException {
        RpcTransport transport = Transports.forAddress(address);
        return RecoveringConnection.connect(
                complete(address, programs),
                former -> completeAgain(address, former, programs),
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
     * options' timeout, plus the time of {@link #locate}.
     *
     * @param programs that are called over the connection, or served to the peer; if the address has no port, that of the first one is used
     * @throws RpcException of kind NOT_CONNECTED, with the reason in one line; or as {@link #locate} throws it
     */
    public static RpcConnection connect(URI address, ConnectionOptions options, RpcProgram... programs)
            throws RpcException {
        RpcTransport transport = Transports.forAddress(address);
        return transport.connect(complete(address, programs), options.forPrograms(List.of(programs)));
    }

    private static URI complete(URI address, RpcProgram... programs) throws RpcException {
        return programs.length == 0 ? address : locate(address, programs[0]);
    }

    /** The address at which the server is now; the former one if rpcbind does not know. */
    private static URI completeAgain(URI address, URI former, RpcProgram... programs) {
        try {
            return complete(address, programs);
        } catch (RpcException unknown) {
            return former;
        }
    }

    /**
     * Finds the address of a program: asks the host's rpcbind over TCP for its port (RFC 1833). If rpcbind cannot be reached, or does not know the
     * program by this transport (Linux, for example, does not register NFS over RDMA), an RDMA address gets the {@linkplain RpcProgram#rdmaPort port of
     * the binding}. Blocks for ten seconds at most.
     *
     * @param address {@code tcp://host} or {@code rdma://host}; if it has a port, or no host, it is returned as it is
     * @throws RpcException if there is no such port: of kind PROGRAM_UNAVAILABLE if rpcbind does not know the program; of kind NOT_CONNECTED if it
     *     cannot be reached, the host is unknown, or this thread is interrupted; of kind BAD_REPLY if it answers with what is no address; or of the
     *     kind with which a call of rpcbind fails, for example TIMED_OUT, DISCONNECTED or PROGRAM_MISMATCH
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
