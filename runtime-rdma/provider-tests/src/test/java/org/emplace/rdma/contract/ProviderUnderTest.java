// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.contract;

import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaProvider;
import org.emplace.rdma.RdmaProviderFactory;

/**
 * The provider that the suite judges, by system properties.
 *
 * @param name the factory's, {@code contract.provider}; without it {@code iwarp}
 * @param address where to listen and to connect to, {@code contract.address}; without it 127.0.0.1
 * @param nobody an address at which nobody answers, {@code contract.nobody}; loopback has none
 * @param limits what the device does not do, {@code contract.limits}: names with commas in between
 */
record ProviderUnderTest(String name, String address, Optional<String> nobody, Set<Limit> limits) {

    static final ProviderUnderTest CHOSEN = new ProviderUnderTest(
            System.getProperty("contract.provider", "iwarp"),
            System.getProperty("contract.address", "127.0.0.1"),
            Optional.ofNullable(System.getProperty("contract.nobody")),
            Arrays.stream(System.getProperty("contract.limits", "").split(","))
                    .filter(limit -> !limit.isEmpty())
                    .map(Limit::valueOf)
                    .collect(Collectors.toUnmodifiableSet()));

    /** Where a device falls short of the contract, and no provider can make up for it. All of them are Linux's siw. */
    enum Limit {
        /** The side whose Send, Write or Read was refused is told of the end alone: siw keeps the Terminate message to itself. */
        REFUSALS_ARE_NOT_TOLD,
        /** A responder answers as many RDMA Reads at a time as the initiator asks for, whatever it was accepted with. */
        READ_LIMIT_IS_RAISED,
        /** A peer that was let write memory can read it too. */
        READ_RIGHT_IS_NOT_CHECKED,
        /** Connections have protection domains of their own, or a Send without a Receive ends its connection. */
        NO_SHARED_RECEIVE_QUEUE,
        /** Read Responses are sent from the memory itself, also after it was deregistered. */
        READS_ARE_NOT_FENCED
    }

    boolean has(Limit limit) {
        return limits.contains(limit);
    }

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
