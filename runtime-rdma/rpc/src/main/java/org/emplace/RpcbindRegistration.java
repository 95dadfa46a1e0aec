// SPDX-License-Identifier: Apache-2.0
package org.emplace;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.emplace.rpc.CallOptions;
import org.emplace.rpc.RpcConnection;
import org.emplace.rpc.RpcException;
import org.emplace.rpc.RpcProgram;
import org.emplace.rpc.portmap.Rpcb;
import org.emplace.rpc.portmap.Rpcb4Client;
import org.emplace.xdr.XdrString;

/**
 * A registration of programs with this machine's rpcbind, where clients such as {@code showmount -e} look up their
 * addresses (RFC 1833). It lasts until it is closed or rpcbind ends. It replaces earlier registrations of the same
 * programs and transports, which a killed server leaves behind; rpcbind allows this to root and to the user who made
 * them. Used by one thread at a time.
 */
public final class RpcbindRegistration implements AutoCloseable {
    private static final URI RPCBIND = URI.create("unix:/run/rpcbind.sock");
    private static final CallOptions SOON = CallOptions.DEFAULT.withTimeout(Duration.ofSeconds(10));

    private final URI rpcbind;
    private final List<Rpcb> registered = new ArrayList<>();

    private RpcbindRegistration(URI rpcbind) {
        this.rpcbind = rpcbind;
    }

    /**
     * A program and its address. It is registered under the netid of its transport, such as {@code tcp}, or {@code
     * tcp6} for IPv6. A program at the address {@code ::} is registered under both netids, because its socket accepts
     * IPv4 connections too.
     *
     * @param program the program
     * @param transport {@code tcp} or {@code rdma}
     * @param address where the program is served
     */
    public record Entry(RpcProgram program, String transport, InetSocketAddress address) {

        private List<Rpcb> maps() {
            InetAddress host = address.getAddress();
            if (!(host instanceof Inet6Address)) {
                return List.of(map(transport, host.getHostAddress()));
            }
            Rpcb map = map(transport + "6", host.getHostAddress());
            return host.isAnyLocalAddress() ? List.of(map, map(transport, "0.0.0.0")) : List.of(map);
        }

        private Rpcb map(String netid, String host) {
            return new Rpcb(
                    program.number(),
                    program.version(),
                    text(netid),
                    text(universalAddress(host, address.getPort())),
                    text(System.getProperty("user.name")));
        }

        private static XdrString text(String text) {
            return XdrString.of(text);
        }

        /** The address followed by the two bytes of the port, all separated by dots (RFC 5665 section 5.2.3). */
        private static String universalAddress(String host, int port) {
            int scope = host.indexOf('%');
            return (scope < 0 ? host : host.substring(0, scope)) + "." + (port >>> 8) + "." + (port & 0xff);
        }
    }

    /**
     * Registers programs, by calls on the {@linkplain RpcRuntime#shared shared runtime}. If one cannot be registered, none is.
     *
     * @throws RpcException of kind NOT_CONNECTED if rpcbind cannot be reached, and of kind SYSTEM_ERROR if it rejects a
     *     registration. A failed call of rpcbind has other kinds
     * @throws InterruptedException if this thread is interrupted
     */
    public static RpcbindRegistration of(List<Entry> entries) throws RpcException, InterruptedException {
        return of(entries, RPCBIND);
    }

    static RpcbindRegistration of(List<Entry> entries, URI rpcbind) throws RpcException, InterruptedException {
        RpcbindRegistration registration = new RpcbindRegistration(rpcbind);
        try {
            registration.add(
                    entries.stream().flatMap(entry -> entry.maps().stream()).toList());
        } catch (RpcException | InterruptedException failure) {
            try {
                registration.close();
            } catch (RpcException left) {
                failure.addSuppressed(left);
            }
            throw failure;
        }
        return registration;
    }

    private void add(List<Rpcb> maps) throws RpcException, InterruptedException {
        try (RpcConnection connection = Rpc.connect(rpcbind)) {
            Rpcb4Client client = Rpcb4Client.on(connection).with(SOON);
            for (Rpcb map : maps) {
                client.unset(map);
                // Before the call, because rpcbind may have run a call whose reply is lost.
                registered.add(map);
                if (!client.set(map)) {
                    registered.remove(map);
                    throw new RpcException(RpcException.Kind.SYSTEM_ERROR, "rpcbind rejected " + describe(map));
                }
            }
        }
    }

    private static String describe(Rpcb map) {
        return "program " + map.rProg() + " version " + map.rVers() + " at " + map.rNetid() + " " + map.rAddr()
                + ": the program may be registered by another user's server";
    }

    /**
     * Removes the registration. If another server has replaced it, this removes the other one, because rpcbind does not
     * distinguish them. Idempotent.
     *
     * @throws RpcException if rpcbind cannot be reached, or a call of rpcbind fails; of kind CANCELLED if this thread
     *     is interrupted. Programs may then stay registered
     */
    @Override
    public void close() throws RpcException {
        if (!registered.isEmpty()) {
            try (RpcConnection connection = Rpc.connect(rpcbind)) {
                Rpcb4Client client = Rpcb4Client.on(connection).with(SOON);
                for (Rpcb map : registered) {
                    client.unset(map);
                }
                registered.clear();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new RpcException(
                        RpcException.Kind.CANCELLED,
                        "interrupted while removing the registration from rpcbind",
                        interrupted);
            }
        }
    }
}
