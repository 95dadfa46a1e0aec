// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.contract;

import java.net.InetSocketAddress;
import java.util.Optional;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaProvider;
import org.emplace.rdma.RdmaProviderFactory;

/**
 * The provider that the suite judges, by system properties.
 *
 * @param name the factory's, {@code contract.provider}; without it {@code iwarp}
 * @param address where to listen and to connect to, {@code contract.address}; without it 127.0.0.1
 * @param nobody an address at which nobody answers, {@code contract.nobody}; loopback has none
 * @param tellsRefusals whether the side that sent or wrote what the peer refused is told so, {@code contract.tells-refusals}; else it is
 *     told of the end alone. Linux's siw keeps a Terminate message from its user
 */
record ProviderUnderTest(String name, String address, Optional<String> nobody, boolean tellsRefusals) {

    static final ProviderUnderTest CHOSEN = new ProviderUnderTest(
            System.getProperty("contract.provider", "iwarp"),
            System.getProperty("contract.address", "127.0.0.1"),
            Optional.ofNullable(System.getProperty("contract.nobody")),
            Boolean.parseBoolean(System.getProperty("contract.tells-refusals", "true")));

    RdmaProvider open() throws RdmaException {
        for (RdmaProviderFactory factory : RdmaProviderFactory.installed()) {
            if (factory.name().equals(name)) {
                return factory.open();
            }
        }
        throw new IllegalStateException("no RDMA provider " + name + " on the class path");
    }

    InetSocketAddress anyPort() {
        return new InetSocketAddress(address, 0);
    }
}
