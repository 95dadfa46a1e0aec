// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.connection;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaException.Reason;

/** An address as it crosses to C: 4 or 16 bytes, the scope of a link-local IPv6 address or 0, and a port. */
@SuppressWarnings("ArrayRecordComponent") // crosses to C and is dropped; nobody compares these records
record RawAddress(byte[] bytes, int scope, int port) {

    static RawAddress of(InetSocketAddress address) throws RdmaException {
        InetAddress ip = address.getAddress();
        if (ip == null) {
            throw new RdmaException(
                    Reason.UNREACHABLE, "the host name " + address.getHostString() + " is not resolved");
        }
        int scope = ip instanceof Inet6Address six ? six.getScopeId() : 0;
        return new RawAddress(ip.getAddress(), scope, address.getPort());
    }
}
