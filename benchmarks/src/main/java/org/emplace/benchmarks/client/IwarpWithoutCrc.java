// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.client;

import java.util.List;
import java.util.Optional;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaProvider;
import org.emplace.rdma.RdmaProviderFactory;
import org.emplace.rdma.RdmaProviderFactory.DeviceDescription;
import org.emplace.rdma.iwarp.IwarpOptions;
import org.emplace.rdma.iwarp.IwarpProvider;

/** Software iWARP that does not request CRC32C. Used only if {@code org.emplace.rdma.provider} names it. */
public final class IwarpWithoutCrc implements RdmaProviderFactory {
    /** The name for the system property. */
    public static final String NAME = "iwarp-without-crc";

    private static final String PROPERTY = "org.emplace.rdma.provider";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Optional<String> unavailableReason() {
        return NAME.equals(System.getProperty(PROPERTY))
                ? Optional.empty()
                : Optional.of("only for measurements that ask for it");
    }

    @Override
    public List<DeviceDescription> devices() {
        return List.of();
    }

    @Override
    public RdmaProvider open(int eventLoops) throws RdmaException {
        return IwarpProvider.open(
                IwarpOptions.DEFAULTS.withEventLoops(eventLoops).withCrc(false));
    }
}
