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
 * The installed providers, hardware before software iWARP; only one of them if the system property {@value
 * RdmaProviderFactory#PROPERTY} names it. Each is opened at its first use and stays open.
 */
final class InstalledDevices {
    private static final Comparator<RdmaProviderFactory> SOFTWARE_LAST = Comparator.comparing(
                    (RdmaProviderFactory factory) -> factory.name().equals(DeviceSearch.SOFTWARE))
            .thenComparing(RdmaProviderFactory::name);

    private static final String WHERE =
            "META-INF/services/" + RdmaProviderFactory.class.getName() + " on the class path lists the providers";

    private final Supplier<List<RdmaProviderFactory>> installed;
    private @Nullable List<Candidate> known;

    /** @param installed called once, at the first use */
    InstalledDevices(Supplier<List<RdmaProviderFactory>> installed) {
        this.installed = installed;
    }

    /**
     * Returns the providers to try now.
     *
     * @throws RdmaException with reason NO_DEVICE if there is none
     */
    Candidates candidates() throws RdmaException {
        String wanted = System.getProperty(RdmaProviderFactory.PROPERTY, "");
        List<Candidate> all = known();
        List<Candidate> allowed = wanted.isEmpty()
                ? all
                : all.stream()
                        .filter(candidate -> candidate.provider().equals(wanted))
                        .toList();
        if (all.isEmpty()) {
            throw new RdmaException(
                    Reason.NO_DEVICE,
                    "no RDMA provider is installed; " + WHERE + ", and emplace-iwarp and emplace-verbs have one each");
        }
        if (allowed.isEmpty()) {
            throw new RdmaException(
                    Reason.NO_DEVICE,
                    "the RDMA provider \"" + wanted + "\" of the system property " + RdmaProviderFactory.PROPERTY
                            + " is not installed; use one of: "
                            + all.stream().map(Candidate::provider).collect(Collectors.joining(", ")) + "; " + WHERE);
        }
        return new Candidates(allowed, !wanted.isEmpty());
    }

    private synchronized List<Candidate> known() {
        List<Candidate> found = known;
        if (found == null) {
            found = installed.get().stream()
                    .sorted(SOFTWARE_LAST)
                    .map(factory -> new Candidate(factory.name(), () -> open(factory)))
                    .toList();
            known = found;
        }
        return found;
    }

    /** Checks for obstacles each time, because a device may have been added meanwhile. */
    private static Device open(RdmaProviderFactory factory) throws RdmaException {
        Optional<String> obstacle = factory.obstacle();
        if (obstacle.isPresent()) {
            throw new RdmaException(Reason.NO_DEVICE, factory.name() + ": " + obstacle.get());
        }
        try {
            return Device.of(factory.open());
        } catch (RdmaException failure) {
            throw new RdmaException(
                    Reason.NO_DEVICE, factory.name() + " cannot be opened: " + failure.getMessage(), failure);
        }
    }

    /**
     * The providers to try.
     *
     * @param inOrder the providers, best first; at least one
     * @param named whether a system property names the only one
     */
    record Candidates(List<Candidate> inOrder, boolean named) {}

    /** A provider that may be used. */
    static final class Candidate {
        private final String provider;
        private final Opening opening;
        private @Nullable Device opened;

        /** @param provider see {@link org.emplace.rdma.RdmaProvider#name} */
        Candidate(String provider, Opening opening) {
            this.provider = provider;
            this.opening = opening;
        }

        String provider() {
            return provider;
        }

        /** Returns the provider's device, and opens it first if necessary. */
        synchronized Device device() throws RdmaException {
            Device device = opened;
            if (device == null) {
                device = opening.open();
                opened = device;
            }
            return device;
        }
    }

    /** Opens a provider's device. */
    @FunctionalInterface
    interface Opening {
        /**
         * Returns the open device.
         *
         * @throws RdmaException with reason NO_DEVICE if the provider cannot work on this machine; the message says why
         */
        Device open() throws RdmaException;
    }
}
