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
 */
record ProviderUnderTest(String name, String address, Optional<String> nobody) {

    static final ProviderUnderTest CHOSEN = new ProviderUnderTest(
            System.getProperty("contract.provider", "iwarp"),
            System.getProperty("contract.address", "127.0.0.1"),
            Optional.ofNullable(System.getProperty("contract.nobody")));

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
