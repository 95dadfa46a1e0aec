// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.emplace.RpcServer;
import org.emplace.RpcbindRegistration;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.RpcException;
import org.emplace.rpc.RpcService;
import org.emplace.rpc.ServerLoad;
import org.emplace.rpc.ServerObserver;
import org.emplace.rpc.auth.AuthNone;
import org.emplace.rpc.auth.AuthSys;
import org.emplace.rpc.auth.gss.GssServer;
import org.emplace.samples.nfs.protocol.Mount3;
import org.emplace.samples.nfs.protocol.Mount3Server;
import org.emplace.samples.nfs.protocol.Nfs3;
import org.emplace.samples.nfs.protocol.Nfs3Server;
import org.emplace.samples.nfs.protocol.v4.Nfs4;
import org.emplace.samples.nfs.protocol.v4.Nfs4Server;
import org.emplace.samples.nfs.server.export.Exports;
import org.emplace.samples.nfs.server.export.KeptNames;
import org.emplace.samples.nfs.server.program.CallFailures;
import org.emplace.samples.nfs.server.program.DelegationGuard;
import org.emplace.samples.nfs.server.program.v3.Mount3Program;
import org.emplace.samples.nfs.server.program.v3.Nfs3Program;
import org.emplace.samples.nfs.server.program.v4.Nfs4Program;
import org.emplace.samples.nfs.server.state.RecordedClients;
import org.emplace.samples.nfs.server.state.StateLimits;
import org.emplace.samples.nfs.server.state.StateTable;
import org.emplace.samples.nfs.server.status.ServerStatistics;
import org.jspecify.annotations.Nullable;

/** A server of the NFS and MOUNT programs for a set of exports. Serves both at every address until it is closed. */
public final class NfsServer implements AutoCloseable {
    private final Exports exports;
    private final RpcServer server;
    private final Set<Version> versions;
    private final List<URI> addresses;
    private @Nullable RpcbindRegistration registration;

    private NfsServer(Exports exports, RpcServer server, Set<Version> versions, List<URI> addresses) {
        this.exports = exports;
        this.server = server;
        this.versions = versions;
        this.addresses = addresses;
    }

    /**
     * Starts the server.
     *
     * @param exports closed with the server; if this method throws, the caller still has to close them
     * @param addresses {@code rdma://host:port} or {@code tcp://host:port}; port 0 stands for any free port
     * @param capacity how much the server does at a time
     * @throws IOException if one of the addresses or the folder of the server's state cannot be used; then nothing is served
     */
    public static NfsServer start(Exports exports, List<URI> addresses, Capacity capacity) throws IOException {
        return start(exports, addresses, capacity, Protocols.DEFAULT);
    }

    /**
     * Like {@link #start(Exports, List, Capacity)}, with a choice of versions.
     *
     * @param protocols what to serve
     */
    public static NfsServer start(Exports exports, List<URI> addresses, Capacity capacity, Protocols protocols)
            throws IOException {
        return start(exports, addresses, capacity, protocols, ServerObserver.NONE, procedure -> {});
    }

    /**
     * Like {@link #start(Exports, List, Capacity, Protocols)}, with statistics of the calls.
     *
     * @param statistics notified of every call
     */
    public static NfsServer start(
            Exports exports, List<URI> addresses, Capacity capacity, Protocols protocols, ServerStatistics statistics)
            throws IOException {
        return start(exports, addresses, capacity, protocols, statistics, statistics::failed);
    }

    private static NfsServer start(
            Exports exports,
            List<URI> addresses,
            Capacity capacity,
            Protocols protocols,
            ServerObserver observer,
            Consumer<String> failed)
            throws IOException {
        CallFailures failures = new CallFailures(failed);
        Optional<Nfs4Program> compounds = Optional.empty();
        if (!protocols.minorVersions().isEmpty()) {
            // The statistics count calls by procedure, and one operation of a COMPOUND fails at most.
            CallFailures ofCompounds = new CallFailures(operation -> failed.accept("COMPOUND"), failures.faults());
            StateLimits limits = StateLimits.STANDARD.withLease(protocols.lease());
            KeptNames names = exports.keptNames("clients");
            RecordedClients records = new RecordedClients(names.all(), names::change);
            compounds = Optional.of(new Nfs4Program(
                    exports,
                    protocols.minorVersions(),
                    callbacks -> new StateTable(limits, records, protocols.grace(), callbacks),
                    protocols.lease(),
                    protocols.delegations(),
                    ofCompounds));
        }
        DelegationGuard guard =
                compounds.map(Nfs4Program::guard).orElseGet(() -> new DelegationGuard(Optional.empty()));
        Nfs3Program program = new Nfs3Program(exports, failures, guard);
        RpcServer.Builder builder = RpcServer.builder()
                .maxConnections(capacity.connections())
                .threads(capacity.threads())
                .options(ConnectionOptions.DEFAULT.withCredits(capacity.credits()))
                .observer(observer)
                .service(protocols.accepting(Nfs3Server.service(program)))
                .service(protocols.accepting(Mount3Server.service(new Mount3Program(program))));
        compounds.ifPresent(served -> builder.service(protocols.accepting(Nfs4Server.service(served))));
        addresses.forEach(builder::listen);
        RpcServer server = builder.start();
        return new NfsServer(exports, server, protocols.versions(), bound(addresses, server.addresses()));
    }

    private static List<URI> bound(List<URI> wanted, List<InetSocketAddress> real) {
        List<URI> bound = new ArrayList<>();
        for (int i = 0; i < wanted.size(); i++) {
            String authority = wanted.get(i).getAuthority();
            String host = authority.substring(0, authority.lastIndexOf(':'));
            bound.add(URI.create(
                    wanted.get(i).getScheme() + "://" + host + ":" + real.get(i).getPort()));
        }
        return List.copyOf(bound);
    }

    /** The addresses in the order given, with their actual ports. */
    public List<URI> addresses() {
        return addresses;
    }

    /** The current load. */
    public ServerLoad load() {
        return server.load();
    }

    /**
     * Registers NFS with this machine's rpcbind at each address (for each transport, the last address counts), and MOUNT at the first TCP address.
     *
     * @throws RpcException if rpcbind cannot be reached or rejects the registration; then nothing is registered
     */
    public synchronized void register() throws RpcException, InterruptedException {
        List<RpcbindRegistration.Entry> entries = new ArrayList<>();
        boolean mount = false;
        for (int i = 0; i < addresses.size(); i++) {
            String transport = addresses.get(i).getScheme();
            InetSocketAddress bound = server.addresses().get(i);
            entries.add(new RpcbindRegistration.Entry(Nfs3.PROGRAM, transport, bound));
            if (versions.stream().anyMatch(each -> each.minorVersion().isPresent())) {
                entries.add(new RpcbindRegistration.Entry(Nfs4.PROGRAM, transport, bound));
            }
            if (transport.equals("tcp") && !mount) {
                mount = true;
                entries.add(new RpcbindRegistration.Entry(Mount3.PROGRAM, transport, bound));
            }
        }
        registration = RpcbindRegistration.of(entries);
    }

    /** Removes the registrations, completes the calls in progress, closes all connections and all files. */
    @Override
    public synchronized void close() throws IOException {
        try {
            if (registration != null) {
                registration.close();
            }
        } finally {
            server.close();
            exports.close();
        }
    }

    /** A version of NFS. */
    public enum Version {
        /** Version 3, which always comes with MOUNT. */
        V3("3"),
        /** Version 4, minor version 1. */
        V4_1("4.1"),
        /** Version 4, minor version 2. */
        V4_2("4.2");

        private final String number;

        Version(String number) {
            this.number = number;
        }

        private OptionalLong minorVersion() {
            int point = number.indexOf('.');
            return point < 0 ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(number.substring(point + 1)));
        }

        @Override
        public String toString() {
            return number;
        }
    }

    /**
     * What a server serves.
     *
     * @param versions of NFS; version 3, with MOUNT, is always served
     * @param lease how long a client of version 4 may be silent before others may have what it holds
     * @param grace how long clients of version 4 may reclaim what they held before a restart, and nobody else gets anything
     * @param delegations whether clients of version 4 get delegations
     * @param kerberos the flavor for exports with {@code sec=krb5}, {@code krb5i} or {@code krb5p}; without it, calls by Kerberos are refused
     */
    public record Protocols(
            Set<Version> versions, Duration lease, Duration grace, boolean delegations, Optional<GssServer> kerberos) {
        /** Version 3; 90 seconds each; no delegations. */
        public static final Protocols DEFAULT = new Protocols(
                Set.of(Version.V3),
                StateLimits.STANDARD.lease(),
                StateLimits.STANDARD.lease(),
                false,
                Optional.empty());

        /** Copies the versions. */
        public Protocols {
            versions = Set.copyOf(versions);
        }

        private Set<Long> minorVersions() {
            return versions.stream()
                    .flatMap(each -> each.minorVersion().stream().boxed())
                    .collect(Collectors.toUnmodifiableSet());
        }

        /** Returns a copy with these versions. */
        public Protocols withVersions(Set<Version> wanted) {
            return new Protocols(wanted, lease, grace, delegations, kerberos);
        }

        /** Returns a copy with or without delegations. */
        public Protocols withDelegations(boolean wanted) {
            return new Protocols(versions, lease, grace, wanted, kerberos);
        }

        /** Returns a copy that accepts calls by Kerberos. It should accept all services, because exports choose among them. */
        public Protocols withKerberos(GssServer wanted) {
            return new Protocols(versions, lease, grace, delegations, Optional.of(wanted));
        }

        private RpcService accepting(RpcService service) {
            return kerberos.map(flavor -> service.withFlavors(AuthNone.INSTANCE, AuthSys.SERVER, flavor))
                    .orElse(service);
        }
    }

    /**
     * How much a server does at a time.
     *
     * @param connections the most connections; positive
     * @param threads the most calls that run; positive
     * @param credits the most calls of each connection that run or wait for a thread; positive. Further ones wait at the
     *     client
     */
    public record Capacity(int connections, int threads, int credits) {
        /** 1024 connections, 16 threads, and 64 calls of each connection. */
        public static final Capacity DEFAULT = new Capacity(1024, 16, 64);

        /** Returns a copy with this limit on connections. */
        public Capacity withConnections(int most) {
            return new Capacity(most, threads, credits);
        }
    }
}
