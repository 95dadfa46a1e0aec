// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.emplace.RpcRuntime;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaException.Reason;
import org.emplace.rdma.RdmaProvider;
import org.emplace.rdma.RdmaProviderFactory;
import org.emplace.rdma.RdmaProviderFactory.DeviceDescription.Capability;
import org.emplace.rpc.RdmaDevice;
import org.emplace.rpc.transport.RuntimeResources.Settings;
import org.emplace.rpcrdma.memory.RdmaMemory;
import org.emplace.rpcrdma.memory.RegisteredPool;
import org.jspecify.annotations.Nullable;

/**
 * The installed providers, hardware before software iWARP; only one of them if the runtime or the system property
 * {@value RpcRuntime#RDMA_PROVIDER_PROPERTY} names it. Each is opened at its first use and stays open until all are closed.
 */
final class InstalledDevices {
    private static final Comparator<RdmaProviderFactory> SOFTWARE_LAST = Comparator.comparing(
                    (RdmaProviderFactory factory) -> factory.name().equals(DeviceSearch.SOFTWARE))
            .thenComparing(RdmaProviderFactory::name);

    private static final String WHERE =
            "META-INF/services/" + RdmaProviderFactory.class.getName() + " on the class path lists the providers";

    private static final String THE_RUNTIME = "the runtime";

    private final Settings settings;
    /** Hardware before software. */
    private final List<RdmaProviderFactory> installed;

    private final List<Candidate> all;

    /** Opens no device. */
    InstalledDevices(List<RdmaProviderFactory> installed, Settings settings) {
        this.settings = settings;
        this.installed = installed.stream().sorted(SOFTWARE_LAST).toList();
        this.all = this.installed.stream()
                .map(factory -> new Candidate(factory.name(), () -> open(factory, settings)))
                .toList();
    }

    /** A single device. */
    InstalledDevices(Device only) {
        this.settings = Settings.DEFAULT;
        this.installed = List.of();
        this.all = List.of(new Candidate(only.provider().name(), () -> only));
    }

    /**
     * Returns the providers to try now.
     *
     * @throws RdmaException with reason NO_DEVICE if there is none
     */
    Candidates candidates() throws RdmaException {
        boolean byRuntime = !settings.rdmaProvider().isEmpty();
        String wanted = byRuntime ? settings.rdmaProvider() : System.getProperty(RpcRuntime.RDMA_PROVIDER_PROPERTY, "");
        String namedBy = byRuntime ? THE_RUNTIME : "the system property " + RpcRuntime.RDMA_PROVIDER_PROPERTY;
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
                    "the RDMA provider \"" + wanted + "\" of " + namedBy + " is not installed; use one of: "
                            + all.stream().map(Candidate::provider).collect(Collectors.joining(", ")) + "; " + WHERE);
        }
        return new Candidates(allowed, wanted.isEmpty() ? null : namedBy);
    }

    /** See {@link RpcRuntime#rdmaProviders}. */
    List<String> providers() {
        return installed.stream().map(RdmaProviderFactory::name).toList();
    }

    /**
     * See {@link RpcRuntime#rdmaDevices}.
     *
     * @throws RdmaException if the provider is not installed, cannot work here, or does not know its devices
     */
    List<RdmaDevice> describe(String provider) throws RdmaException {
        for (RdmaProviderFactory factory : installed) {
            if (factory.name().equals(provider)) {
                Optional<String> unavailableReason = factory.unavailableReason();
                if (unavailableReason.isPresent()) {
                    throw new RdmaException(Reason.NO_DEVICE, "does not work here: " + unavailableReason.get());
                }
                return factory.devices().stream()
                        .map(device -> {
                            LinkedHashMap<String, String> capabilities = new LinkedHashMap<>();
                            for (Capability each : device.capabilities()) {
                                capabilities.put(each.name(), each.value());
                            }
                            return RdmaDevice.of(device.name(), device.transport(), device.state())
                                    .withAddresses(device.addresses())
                                    .withCapabilities(capabilities);
                        })
                        .toList();
            }
        }
        throw new RdmaException(Reason.NO_DEVICE, "not installed; " + WHERE);
    }

    /** Closes the open devices. None can be opened afterward. */
    void close() {
        all.forEach(Candidate::close);
    }

    /** Checks for obstacles each time, because a device may have been added meanwhile. */
    private static Device open(RdmaProviderFactory factory, Settings settings) throws RdmaException {
        Optional<String> unavailableReason = factory.unavailableReason();
        if (unavailableReason.isPresent()) {
            throw new RdmaException(Reason.NO_DEVICE, factory.name() + ": " + unavailableReason.get());
        }
        try {
            return Device.of(factory.open(settings.eventLoops()), settings.registeredMemory());
        } catch (RdmaException failure) {
            throw new RdmaException(
                    Reason.NO_DEVICE, factory.name() + " cannot be opened: " + failure.getMessage(), failure);
        }
    }

    /**
     * The providers to try.
     *
     * @param inOrder the providers, best first; at least one
     * @param namedBy what names the only one; null if the order decides
     */
    record Candidates(List<Candidate> inOrder, @Nullable String namedBy) {}

    /** A provider that may be used. */
    static final class Candidate {
        private final String provider;
        private final Opening opening;
        private @Nullable Device opened;
        private boolean closed;

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
            if (closed) {
                throw new RdmaException(Reason.NO_DEVICE, provider + ": the runtime is closed");
            }
            if (device == null) {
                device = opening.open();
                opened = device;
            }
            return device;
        }

        synchronized void close() {
            closed = true;
            if (opened != null) {
                try {
                    opened.memory().pool().close();
                } finally {
                    opened.provider().close();
                }
            }
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

    /** An open provider and the memory registered with it. */
    record Device(RdmaProvider provider, RdmaMemory memory) {
        /** @param registered the most bytes that the device's pool registers */
        static Device of(RdmaProvider provider, long registered) {
            return new Device(provider, new RdmaMemory(provider, new RegisteredPool(provider, registered)));
        }
    }

    /**
     * Finds the device for an address by trying the candidates in order. Tries the next one only if a candidate has no
     * device for the address. For each host, announces once which provider it uses, and why. Safe for use by several
     * threads.
     */
    static final class DeviceSearch {
        /** The provider that needs no hardware. */
        static final String SOFTWARE = "iwarp";

        /** The number of announced choices to remember. If there are more, choices are announced again. */
        private static final int REMEMBERED = 1024;

        private final InstalledDevices devices;
        private final Consumer<String> announcement;
        private final Set<String> said = new HashSet<>();

        /** @param announcement gets each choice once, in one line */
        DeviceSearch(InstalledDevices devices, Consumer<String> announcement) {
            this.devices = devices;
            this.announcement = announcement;
        }

        /** An operation to try with a device. */
        @FunctionalInterface
        interface Attempt<R> {
            /**
             * Tries the operation.
             *
             * @throws RdmaException with reason NO_DEVICE if another provider is to be tried
             */
            R with(Device device) throws RdmaException;
        }

        /**
         * Tries the candidates in order.
         *
         * @param relation how the address is used, for the log: {@code to} or {@code at}
         * @throws RdmaException the failure of the provider that has a device for the address, with a hint at the others if
         *     the peer did not answer; or with reason NO_DEVICE if no provider has one
         */
        <R> R first(String relation, InetSocketAddress address, Attempt<R> attempt) throws RdmaException {
            Candidates candidates = devices.candidates();
            List<RdmaException> passedOver = new ArrayList<>();
            for (Candidate candidate : candidates.inOrder()) {
                String chosen = "RDMA " + relation + " " + address.getHostString() + " by " + candidate.provider();
                // Made first, because an Error after the attempt would leave its result open.
                String line = chosen + why(candidates, passedOver);
                try {
                    R result = attempt.with(candidate.device());
                    say(chosen, line);
                    return result;
                } catch (RdmaException failure) {
                    if (failure.reason() != Reason.NO_DEVICE) {
                        throw withHint(failure, candidate.provider(), candidates.namedBy(), passedOver);
                    }
                    passedOver.add(failure);
                }
            }
            throw new RdmaException(
                    Reason.NO_DEVICE,
                    messages(passedOver)
                            + (candidates.namedBy() == null
                                    ? ""
                                    : "; " + candidates.namedBy() + " excludes other providers"),
                    passedOver.get(0));
        }

        private static String why(Candidates candidates, List<RdmaException> passedOver) {
            if (candidates.namedBy() != null) {
                return ", which " + candidates.namedBy() + " selects";
            }
            if (passedOver.isEmpty()) {
                return candidates.inOrder().size() == 1
                        ? ", the only provider installed"
                        : ", which has a device for it";
            }
            return " (" + messages(passedOver) + ")";
        }

        private void say(String chosen, String line) {
            synchronized (said) {
                if (said.size() >= REMEMBERED) {
                    said.clear();
                }
                if (!said.add(chosen)) {
                    return;
                }
            }
            announcement.accept(line);
        }

        /** If the peer did not answer, adds a hint: it may use another kind of RDMA. */
        private static RdmaException withHint(
                RdmaException failure, String provider, @Nullable String namedBy, List<RdmaException> passedOver) {
            boolean unanswered = switch (failure.reason()) {
                case UNREACHABLE, REFUSED, TIMED_OUT -> true;
                default -> false;
            };
            if (!unanswered) {
                return failure;
            }
            String hint;
            if (!provider.equals(SOFTWARE)) {
                hint = "; tried " + provider + ", which a peer with software iWARP may not answer ("
                        + (THE_RUNTIME.equals(namedBy)
                                ? "the provider "
                                : "-D" + RpcRuntime.RDMA_PROVIDER_PROPERTY + "=")
                        + SOFTWARE + " selects software iWARP)";
            } else {
                hint = "; tried software iWARP, which InfiniBand and RoCE peers do not answer"
                        + (passedOver.isEmpty() ? "" : " (" + messages(passedOver) + ")");
            }
            return new RdmaException(failure.reason(), failure.getMessage() + hint, failure);
        }

        private static String messages(List<RdmaException> failures) {
            return failures.stream().map(RdmaException::getMessage).collect(Collectors.joining("; "));
        }
    }
}
