// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp;

import java.util.List;
import java.util.Optional;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaProvider;
import org.emplace.rdma.RdmaProviderFactory.DeviceDescription.Capability;
import org.emplace.rdma.RdmaProviderFactory.DeviceDescription;
import org.emplace.rdma.RdmaProviderFactory;
import org.emplace.rdma.iwarp.negotiation.ReadNegotiation;

/** Opens software iWARP with {@link IwarpOptions#DEFAULTS}; works wherever TCP does. */
public final class IwarpProviderFactory implements RdmaProviderFactory {

    @Override
    public String name() {
        return IwarpProvider.NAME;
    }

    @Override
    public Optional<String> obstacle() {
        return Optional.empty();
    }

    @Override
    public List<DeviceDescription> devices() {
        return List.of(new DeviceDescription(
                "software",
                "iWARP",
                "active",
                List.of("any"),
                List.of(
                        new Capability("memory registration", "without limit, pins nothing"),
                        new Capability("remote access", "per call and connection"),
                        new Capability("remote invalidation", "both ways"),
                        new Capability("shared receive queue", "yes, without limit"),
                        new Capability("outstanding Reads", "up to " + ReadNegotiation.LARGEST),
                        new Capability("CRC32C", IwarpOptions.DEFAULTS.crc() ? "on" : "as the peer asks"))));
    }

    @Override
    public RdmaProvider open() throws RdmaException {
        return IwarpProvider.open(IwarpOptions.DEFAULTS);
    }
}
