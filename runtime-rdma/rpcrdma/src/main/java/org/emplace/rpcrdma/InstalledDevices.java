// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaException.Reason;
import org.emplace.rdma.RdmaProviderFactory;
import org.jspecify.annotations.Nullable;

/**
 * The installed providers, hardware before software iWARP. If the system property {@value RdmaProviderFactory#PROPERTY}
 * names one, only that one. Each is opened at its first use and stays open.
 */
final class InstalledDevices implements DeviceChoice {
    private static final Comparator<RdmaProviderFactory> SOFTWARE_LAST = Comparator.comparing(
                    (RdmaProviderFactory factory) -> factory.name().equals(DeviceSearch.SOFTWARE))
            .thenComparing(RdmaProviderFactory::name);

    private final Supplier<List<RdmaProviderFactory>> installed;
    private @Nullable List<Candidate> known;

    /** @param installed called once, at the first use */
    InstalledDevices(Supplier<List<RdmaProviderFactory>> installed) {
        this.installed = installed;
    }

    @Override
    public Candidates candidates() throws RdmaException {
        String wanted = System.getProperty(RdmaProviderFactory.PROPERTY, "");
        List<Candidate> all = known();
        List<Candidate> allowed = wanted.isEmpty()
                ? all
                : all.stream()
                        .filter(candidate -> candidate.provider().equals(wanted))
                        .toList();
        if (allowed.isEmpty()) {
            throw new RdmaException(
                    Reason.NO_DEVICE,
                    "the RDMA provider \"" + wanted + "\" of the system property " + RdmaProviderFactory.PROPERTY
                            + " is not installed; use one of: "
                            + all.stream().map(Candidate::provider).collect(Collectors.joining(", ")));
        }
        return new Candidates(allowed, !wanted.isEmpty());
    }

    private synchronized List<Candidate> known() {
        List<Candidate> found = known;
        if (found == null) {
            found = installed.get().stream()
                    .sorted(SOFTWARE_LAST)
                    .<Candidate>map(Installed::new)
                    .toList();
            known = found;
        }
        return found;
    }

    /** An installed provider. */
    private static final class Installed implements Candidate {
        private final RdmaProviderFactory factory;
        private @Nullable Device opened;

        Installed(RdmaProviderFactory factory) {
            this.factory = factory;
        }

        @Override
        public String provider() {
            return factory.name();
        }

        @Override
        public synchronized Device device() throws RdmaException {
            Device device = opened;
            if (device == null) {
                device = open();
                opened = device;
            }
            return device;
        }

        /** Checks for obstacles each time, because a device may have been added meanwhile. */
        private Device open() throws RdmaException {
            Optional<String> obstacle = factory.obstacle();
            if (obstacle.isPresent()) {
                throw new RdmaException(Reason.NO_DEVICE, provider() + ": " + obstacle.get());
            }
            try {
                return Device.of(factory.open());
            } catch (RdmaException failure) {
                throw new RdmaException(
                        Reason.NO_DEVICE, provider() + " cannot be opened: " + failure.getMessage(), failure);
            }
        }
    }
}
