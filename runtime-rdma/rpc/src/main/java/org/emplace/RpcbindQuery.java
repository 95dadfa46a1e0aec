// SPDX-License-Identifier: Apache-2.0
package org.emplace;

import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.emplace.rpc.CallOptions;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.RpcConnection;
import org.emplace.rpc.RpcException;
import org.emplace.rpc.RpcProgram;
import org.emplace.rpc.portmap.Constants;
import org.emplace.rpc.portmap.Rpcb;
import org.emplace.rpc.portmap.Rpcb4Client;
import org.emplace.rpc.portmap.RpcblistEntry;
import org.emplace.rpc.transport.RpcTransport;

/**
 * Asks a host's rpcbind for the address of a program (RFC 1833 section 2.2.1). The query uses TCP and asks for all
 * registrations: a query for one address returns that of the query's transport, which is never RDMA.
 */
final class RpcbindQuery {
    private static final Duration SOON = Duration.ofSeconds(5);

    private final RpcRuntime runtime;

    /** The TCP address of rpcbind. */
    private final URI rpcbind;

    RpcbindQuery(RpcRuntime runtime, URI rpcbind) {
        this.runtime = runtime;
        this.rpcbind = rpcbind;
    }

    /** See {@link Rpc#locate}, for an address without a port. */
    static URI locate(RpcRuntime runtime, URI address, RpcProgram program) throws RpcException {
        try {
            return atHostOf(runtime, address).locate(address, program);
        } catch (RpcException unknown) {
            return RpcTransport.withPortOf(List.of(program), address)
                    .orElseThrow(() -> new RpcException(
                            unknown.kind(),
                            address + ": the address has no port, and rpcbind gives none: " + unknown.getMessage(),
                            unknown));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new RpcException(
                    RpcException.Kind.NOT_CONNECTED,
                    address + ": interrupted while asking rpcbind for the port",
                    interrupted);
        }
    }

    private static RpcbindQuery atHostOf(RpcRuntime runtime, URI address) {
        return new RpcbindQuery(
                runtime, RpcTransport.withPort(URI.create("tcp://" + address.getRawAuthority()), Constants.RPCB_PORT));
    }

    /**
     * Finds the address of a program for the transport of {@code address}.
     *
     * @throws RpcException of kind PROGRAM_UNAVAILABLE if the program is not registered for that transport. The kind is
     *     another one if rpcbind cannot be asked
     */
    URI locate(URI address, RpcProgram program) throws RpcException, InterruptedException {
        InetSocketAddress host = RpcTransport.resolve(RpcTransport.withPort(address, Constants.RPCB_PORT));
        String netid =
                address.getScheme().toLowerCase(Locale.ROOT) + (host.getAddress() instanceof Inet6Address ? "6" : "");
        try (RpcConnection connection = runtime.connect(rpcbind, ConnectionOptions.DEFAULT.withConnectTimeout(SOON))) {
            Rpcb4Client client = Rpcb4Client.on(connection).with(CallOptions.DEFAULT.withTimeout(SOON));
            for (RpcblistEntry entry : client.dump()) {
                Rpcb map = entry.rpcbMap();
                if (map.rProg() == program.number()
                        && map.rVers() == program.version()
                        && map.rNetid().toString().equals(netid)) {
                    return RpcTransport.withPort(address, port(map.rAddr().toString()));
                }
            }
        }
        throw new RpcException(
                RpcException.Kind.PROGRAM_UNAVAILABLE,
                rpcbind + ": program " + program.number() + " version " + program.version() + " is not registered for "
                        + netid);
    }

    /** The port of a universal address: its last two numbers (RFC 5665 section 5.2.3.3). */
    private int port(String universal) throws RpcException {
        String[] numbers = universal.split("\\.", -1);
        try {
            int high = Integer.parseInt(numbers[numbers.length - 2]);
            int low = Integer.parseInt(numbers[numbers.length - 1]);
            if ((high | low) >>> Byte.SIZE == 0 && (high | low) != 0) {
                return high << Byte.SIZE | low;
            }
        } catch (IndexOutOfBoundsException | NumberFormatException none) {
            // reported below, like numbers out of range
        }
        throw new RpcException(
                RpcException.Kind.BAD_REPLY,
                rpcbind + ": rpcbind answered '" + universal + "', which is not a universal address");
    }
}
