// SPDX-License-Identifier: Apache-2.0
package org.emplace;

import java.net.URI;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.RpcClient;
import org.emplace.rpc.RpcException;
import org.emplace.rpc.RpcProgram;

/**
 * Connects clients to servers. Most applications use {@link #client}, which reconnects and resends calls if a
 * connection is lost. {@link #connect} makes a single connection; its calls fail when it ends. All use {@link
 * RpcRuntime#shared}.
 *
 * <p>Pass the programs to be called over the connection: the generated constants {@code PROGRAM}. If the address has no
 * port, {@link #locate} finds the port of the first one. All of them determine the
 * {@linkplain ConnectionOptions#forPrograms inline threshold}.
 */
public final class Rpc {
    private Rpc() {}

    /** Creates a client with {@link ConnectionOptions#DEFAULT}; see {@link #client(URI, ConnectionOptions, RpcProgram...)}. */
    public static RpcClient client(URI address, RpcProgram... programs) throws RpcException {
        return client(address, ConnectionOptions.DEFAULT, programs);
    }

    /**
     * Connects like {@link #connect(URI, ConnectionOptions, RpcProgram...)}, and connects again when a connection is
     * lost and there are calls to make. To reconnect, the client resolves the host again; if it cannot connect and the
     * address has no port, it also locates the port again. It then resends the calls that have no reply, with the same
     * xid, as their {@linkplain org.emplace.rpc.CallOptions.Recovery options} say. Their callers see only a delay.
     *
     * <p>A server with a duplicate request cache, such as {@link RpcServer}, runs a resent call once. A server without
     * one, or one that has been restarted, may run it twice. Calls sent before and after the loss of a connection may
     * run in a different order.
     *
     * <p>With {@link ConnectionOptions#lazyConnect}, the client makes its first connection when it is used, and this method
     * connects to nothing and looks up nothing.
     *
     * <p>Only {@link RpcClient#close} closes the client; {@link RpcClient#closed} does not complete when a
     * connection is lost. Programs that are {@linkplain RpcClient#serve served} to the peer are served over each
     * connection.
     *
     * @throws RpcException of kind NOT_CONNECTED if the first connection cannot be made; or as for {@link #locate}
     */
    public static RpcClient client(URI address, ConnectionOptions options, RpcProgram... programs) throws RpcException {
        return RpcRuntime.shared().client(address, options, programs);
    }

    /** Connects with {@link ConnectionOptions#DEFAULT}; see {@link #connect(URI, ConnectionOptions, RpcProgram...)}. */
    public static RpcClient connect(URI address, RpcProgram... programs) throws RpcException {
        return connect(address, ConnectionOptions.DEFAULT, programs);
    }

    /**
     * Connects to {@code tcp://host:port}, {@code rdma://host:port} or the local socket {@code unix:/path}. Blocks for
     * at most {@link ConnectionOptions#connectTimeout}, over RDMA one second more, plus the time to look up the host
     * and that of {@link #locate}.
     *
     * @param programs the programs to be called over the connection or served to the peer; if the address has no port,
     *     {@link #locate} finds the port of the first one
     * @throws RpcException of kind NOT_CONNECTED if the connection cannot be made; or as for {@link #locate}
     */
    public static RpcClient connect(URI address, ConnectionOptions options, RpcProgram... programs)
            throws RpcException {
        return RpcRuntime.shared().connect(address, options, programs);
    }

    /**
     * Finds the port of a program by asking the host's rpcbind over TCP (RFC 1833). If rpcbind cannot be reached or has
     * no port of the program for this transport, an RDMA address gets the {@linkplain RpcProgram#rdmaPort port of the
     * binding}. (Linux, for example, does not register NFS over RDMA.) Blocks for at most ten seconds, plus the time to
     * look up the host.
     *
     * @param address {@code tcp://host} or {@code rdma://host}; an address that has a port, or no host, is returned
     *     unchanged
     * @return the address with the port
     * @throws RpcException if no port is found. Its kind is PROGRAM_UNAVAILABLE if rpcbind does not know the program,
     *     NOT_CONNECTED if rpcbind cannot be reached, the host is unknown, or this thread is interrupted, and BAD_REPLY
     *     if rpcbind returns an invalid address. A failed call of rpcbind has other kinds, such as TIMED_OUT,
     *     DISCONNECTED or PROGRAM_MISMATCH
     */
    public static URI locate(URI address, RpcProgram program) throws RpcException {
        return RpcRuntime.shared().locate(address, program);
    }
}
