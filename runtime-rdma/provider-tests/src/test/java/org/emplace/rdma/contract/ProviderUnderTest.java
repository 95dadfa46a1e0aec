// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.contract;

import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaProvider;
import org.emplace.rdma.RdmaProviderFactory;
import org.emplace.rdma.iwarp.IwarpOptions;
import org.emplace.rdma.iwarp.IwarpProvider;
import org.junit.jupiter.api.Named;

/**
 * The provider that the suite tests, chosen by system properties.
 *
 * @param name {@code contract.provider}: the name of the factory; by default {@code iwarp}
 * @param address {@code contract.address}: where to listen and to connect to; by default 127.0.0.1
 * @param nobody {@code contract.nobody}: an address at which nothing answers; loopback has none
 * @param limits {@code contract.limits}: the limits of the device, separated by commas
 */
public record ProviderUnderTest(String name, String address, Optional<String> nobody, Set<Limit> limits) {

    static final ProviderUnderTest CHOSEN = new ProviderUnderTest(
            System.getProperty("contract.provider", "iwarp"),
            System.getProperty("contract.address", "127.0.0.1"),
            Optional.ofNullable(System.getProperty("contract.nobody")),
            Arrays.stream(System.getProperty("contract.limits", "").split(","))
                    .filter(limit -> !limit.isEmpty())
                    .map(Limit::valueOf)
                    .collect(Collectors.toUnmodifiableSet()));

    /**
     * Where a device does not fulfill the contract, and the provider cannot compensate for it. All of these are limits
     * of Linux's siw.
     */
    enum Limit {
        /**
         * The side whose Send, Write or Read was rejected sees only the end of the connection: siw does not report the
         * Terminate message.
         */
        REFUSALS_ARE_NOT_TOLD,
        /**
         * A responder answers as many RDMA Reads at a time as the initiator requests, whatever the acceptor specified.
         */
        READ_LIMIT_IS_RAISED,
        /** A peer that may write memory can also read it. */
        READ_RIGHT_IS_NOT_CHECKED,
        /** Connections have protection domains of their own, or a Send without a Receive ends its connection. */
        NO_SHARED_RECEIVE_QUEUE,
        /** Read Responses are sent directly from the memory, even after it has been deregistered. */
        READS_ARE_NOT_FENCED
    }

    /** A way to open the provider. */
    public interface Variant {
        RdmaProvider open() throws RdmaException;
    }

    /** The variants whose messages differ: of software iWARP, both MPA revisions, with and without CRC. */
    static Stream<Named<Variant>> variants() {
        if (!CHOSEN.name.equals("iwarp")) {
            return Stream.of(Named.of(CHOSEN.name, CHOSEN::open));
        }
        return Stream.of(1, 2).flatMap(revision -> Stream.of(true, false).map(crc -> variant(revision, crc)));
    }

    private static Named<Variant> variant(int revision, boolean crc) {
        IwarpOptions options = IwarpOptions.DEFAULTS.withMpaRevision(revision).withCrc(crc);
        return Named.of("MPA revision " + revision + (crc ? " with CRC" : ""), () -> IwarpProvider.open(options));
    }

    boolean has(Limit limit) {
        return limits.contains(limit);
    }

    RdmaProvider open() throws RdmaException {
        for (RdmaProviderFactory factory : RdmaProviderFactory.installed()) {
            if (factory.name().equals(name)) {
                return factory.open(2);
            }
        }
        throw new IllegalStateException("no RDMA provider " + name + " on the class path");
    }

    InetSocketAddress anyPort() {
        return new InetSocketAddress(address, 0);
    }
}
