// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaProvider;
import org.emplace.rdma.RdmaProviderFactory;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the provider of a process: the first that works, hardware before software iWARP, unless the system property
 * {@value #PROPERTY} names one. Opened at the first use; says which it is and why in one log line.
 */
final class InstalledDevices implements DeviceChoice {
    /** The system property that names a provider. */
    static final String PROPERTY = "org.emplace.rdma.provider";

    private static final System.Logger LOG = System.getLogger(InstalledDevices.class.getName());

    private @Nullable Device chosen;

    @Override
    public synchronized Device device() throws RdmaException {
        Device device = chosen;
        if (device == null) {
            device = open();
            chosen = device;
        }
        return device;
    }

    private static Device open() throws RdmaException {
        String wanted = System.getProperty(PROPERTY, "");
        List<RdmaProviderFactory> factories = new ArrayList<>(RdmaProviderFactory.installed());
        factories.removeIf(factory -> !wanted.isEmpty() && !wanted.equals(factory.name()));
        factories.sort(Comparator.comparing(
                        (RdmaProviderFactory factory) -> factory.name().equals(Device.SOFTWARE))
                .thenComparing(RdmaProviderFactory::name));
        StringJoiner obstacles = new StringJoiner("; ");
        for (RdmaProviderFactory factory : factories) {
            Optional<String> obstacle = factory.obstacle();
            if (obstacle.isEmpty()) {
                RdmaProvider provider = factory.open();
                LOG.log(System.Logger.Level.INFO, "RDMA by {0}{1}", provider.name(), because(wanted, obstacles));
                return Device.of(provider);
            }
            obstacles.add(factory.name() + ": " + obstacle.get());
        }
        throw new RdmaException(
                RdmaException.Reason.NO_RESOURCES,
                wanted.isEmpty()
                        ? "no RDMA provider works here: " + obstacles
                        : "the RDMA provider " + wanted + ", named by " + PROPERTY + ", does not work here: "
                                + obstacles);
    }

    private static String because(String wanted, StringJoiner obstacles) {
        if (!wanted.isEmpty()) {
            return ", as " + PROPERTY + " says";
        }
        return obstacles.length() == 0 ? "" : ", for others do not work here: " + obstacles;
    }
}
