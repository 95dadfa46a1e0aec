// SPDX-License-Identifier: Apache-2.0
package org.emplace;

import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
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
import org.emplace.rpc.transport.TransportAddress;

/**
 * Asks a host's rpcbind where one of its programs is served (RFC 1833 section 2.2.1). The query goes over TCP and asks for all registrations, because
 * rpcbind answers a query for one address with that of the transport of the query, which is never RDMA.
 */
final class RpcbindQuery {
    private static final Duration SOON = Duration.ofSeconds(5);

    /** rpcbind's address, by TCP. */
    private final URI rpcbind;

    RpcbindQuery(URI rpcbind) {
        this.rpcbind = rpcbind;
    }

    /** The rpcbind of an address's host. */
    static RpcbindQuery atHostOf(URI address) {
        return new RpcbindQuery(
                TransportAddress.withPort(URI.create("tcp://" + address.getRawAuthority()), Constants.RPCB_PORT));
    }

    /**
     * The address of a program, by the transport that an address names.
     *
     * @throws RpcException if rpcbind cannot be reached; of kind PROGRAM_UNAVAILABLE if it knows no such program by that transport
     */
    URI locate(URI address, RpcProgram program) throws RpcException, InterruptedException {
        InetSocketAddress host = TransportAddress.resolve(TransportAddress.withPort(address, Constants.RPCB_PORT));
        String netid =
                address.getScheme().toLowerCase(Locale.ROOT) + (host.getAddress() instanceof Inet6Address ? "6" : "");
        try (RpcConnection connection = Rpc.connect(rpcbind, ConnectionOptions.DEFAULT.withConnectTimeout(SOON))) {
            Rpcb4Client client = Rpcb4Client.on(connection, CallOptions.DEFAULT.withTimeout(SOON));
            for (RpcblistEntry entry : client.dump()) {
                Rpcb map = entry.rpcbMap();
                if (map.rProg() == program.number()
                        && map.rVers() == program.version()
                        && map.rNetid().toString().equals(netid)) {
                    return TransportAddress.withPort(address, port(map.rAddr().toString()));
                }
            }
        }
        throw new RpcException(
                RpcException.Kind.PROGRAM_UNAVAILABLE,
                rpcbind + ": rpcbind knows no program " + program.number() + " version " + program.version() + " by "
                        + netid);
    }

    /** The last two numbers of a universal address (RFC 5665 section 5.2.3.3). */
    private int port(String universal) throws RpcException {
        String[] numbers = universal.split("\\.", -1);
        try {
            int high = Integer.parseInt(numbers[numbers.length - 2]);
            int low = Integer.parseInt(numbers[numbers.length - 1]);
            if ((high | low) >>> Byte.SIZE == 0 && (high | low) != 0) {
                return high << Byte.SIZE | low;
            }
        } catch (IndexOutOfBoundsException | NumberFormatException none) {
            // reported like numbers that are not those of a port
        }
        throw new RpcException(
                RpcException.Kind.BAD_REPLY,
                rpcbind + ": rpcbind answered '" + universal + "', which is not a universal address");
    }
}
