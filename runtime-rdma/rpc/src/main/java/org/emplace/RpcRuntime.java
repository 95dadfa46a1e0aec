// SPDX-License-Identifier: Apache-2.0
package org.emplace;

import java.lang.System.Logger.Level;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.random.RandomGenerator;
import org.emplace.reactor.InstalledServices;
import org.emplace.reactor.Timekeeper;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.RdmaDevice;
import org.emplace.rpc.RpcClient;
import org.emplace.rpc.RpcException;
import org.emplace.rpc.RpcException.Kind;
import org.emplace.rpc.RpcProgram;
import org.emplace.rpc.recovery.RecoveringConnection;
import org.emplace.rpc.transport.RpcTransport;
import org.emplace.rpc.transport.RuntimeResources;
import org.emplace.rpc.transport.RuntimeResources.Settings;
import org.jspecify.annotations.Nullable;

/**
 * What clients and servers run on: transports with their event loops and memory, RDMA providers, threads that complete
 * calls, and timers. {@link Rpc} and {@link RpcServer#builder} use the {@linkplain #shared shared} one. A program needs
 * one of its own to choose its sizes, or to end everything at once, as a plug-in that a container unloads:
 *
 * <pre>{@code
 * try (RpcRuntime runtime = RpcRuntime.builder().eventLoops(2).registeredMemory(64 << 20).build()) {
 *     RpcClient client = runtime.client(URI.create("rdma://storage"), Nfs3.PROGRAM);
 *     ...
 * }
 * }</pre>
 *
 * <p>Threads start when they are needed, and end when they have been idle for a second. Safe for use by several threads.
 */
public final class RpcRuntime implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(RpcRuntime.class.getName());

    /**
     * The system property with the name of the only RDMA provider to use. If it is not set or empty, the runtime chooses.
     * Read each time a connection is made.
     */
    public static final String RDMA_PROVIDER_PROPERTY = "org.emplace.rdma.provider";

    /** How long closing waits for the end of connections. */
    private static final long CLOSING_SECONDS = 5;

    private final RandomGenerator random = new Random();
    private final RuntimeResources resources;
    private final List<RpcTransport.Factory> installed;
    /** The clients and servers to be closed with this runtime; null in the shared one, which is not closed. */
    private final @Nullable Set<AutoCloseable> users;
    /** The open transports. Guarded by itself, like the next field. */
    private final Map<RpcTransport.Factory, RpcTransport> transports = new HashMap<>();

    private boolean closed;

    private RpcRuntime(Settings settings, @Nullable Set<AutoCloseable> users) {
        this.resources = RuntimeResources.of(settings);
        this.users = users;
        this.installed = installed();
    }

    /** Made at its first use. */
    private static final class Shared {
        static final RpcRuntime RUNTIME = new RpcRuntime(Settings.DEFAULT, null);
    }

    /** The runtime of programs that make none of their own. It lasts as long as the JVM; {@link #close} refuses to end it. */
    public static RpcRuntime shared() {
        return Shared.RUNTIME;
    }

    /** Returns a builder of a runtime with the sizes of the shared one. */
    public static Builder builder() {
        return new Builder();
    }

    Timekeeper time() {
        return resources.time();
    }

    /**
     * As {@link Rpc#client(URI, ConnectionOptions, RpcProgram...)}, on this runtime.
     *
     * @throws RpcException of kind NOT_CONNECTED also if the runtime is closed
     */
    public RpcClient client(URI address, ConnectionOptions options, RpcProgram... programs) throws RpcException {
        RpcTransport transport = transport(address);
        RpcClient client = new RecoveringConnection(
                address,
                former -> locateAgain(address, former, programs),
                transport,
                options.forPrograms(List.of(programs)),
                resources,
                random);
        return own(client, address);
    }

    /** As {@link Rpc#client(URI, RpcProgram...)}, on this runtime. */
    public RpcClient client(URI address, RpcProgram... programs) throws RpcException {
        return client(address, ConnectionOptions.DEFAULT, programs);
    }

    /**
     * As {@link Rpc#connect(URI, ConnectionOptions, RpcProgram...)}, on this runtime.
     *
     * @throws RpcException of kind NOT_CONNECTED also if the runtime is closed
     */
    public RpcClient connect(URI address, ConnectionOptions options, RpcProgram... programs) throws RpcException {
        RpcTransport transport = transport(address);
        return own(transport.connect(complete(address, programs), options.forPrograms(List.of(programs))), address);
    }

    /** Returns a builder of a server on this runtime; see {@link RpcServer#builder}. */
    public RpcServer.Builder serverBuilder() {
        return new RpcServer.Builder(this);
    }

    /**
     * The names of the installed RDMA providers, hardware first, including those that cannot work on this machine.
     *
     * @throws RpcException of kind NOT_CONNECTED if there is no transport for RDMA, or the runtime is closed
     */
    public List<String> rdmaProviders() throws RpcException {
        return transport("rdma", "RDMA").rdmaProviders();
    }

    /**
     * The devices that an RDMA provider can use, in the order in which it tries them. For information; may be slow.
     *
     * @throws RpcException of kind NOT_CONNECTED as for {@link #rdmaProviders}, or if the provider is not installed or cannot
     *     work on this machine: the message says what to install or permit, in one line
     */
    public List<RdmaDevice> rdmaDevices(String provider) throws RpcException {
        return transport("rdma", "RDMA").rdmaDevices(provider);
    }

    private URI complete(URI address, RpcProgram... programs) throws RpcException {
        return programs.length == 0 ? address : locate(address, programs[0]);
    }

    /** The current address of the server, or the former one if that was complete and rpcbind does not know another. */
    private URI locateAgain(URI address, URI former, RpcProgram... programs) throws RpcException {
        try {
            return complete(address, programs);
        } catch (RpcException unknown) {
            if (former.equals(address)) {
                throw unknown;
            }
            return former;
        }
    }

    /** As {@link Rpc#locate}, on this runtime. */
    public URI locate(URI address, RpcProgram program) throws RpcException {
        return RpcTransport.port(address) >= 0 || RpcTransport.host(address).isEmpty()
                ? address
                : RpcbindQuery.locate(this, address, program);
    }

    private RpcClient own(RpcClient client, URI address) throws RpcException {
        try {
            if (users != null) {
                users.add(client);
                client.closed().whenComplete((done, lost) -> users.remove(client));
                closeIfLate(client, address);
            }
            return client;
        } catch (RuntimeException | Error broken) {
            client.close();
            if (users != null) {
                users.remove(client);
            }
            throw broken;
        }
    }

    /**
     * Called when a server has started.
     *
     * @throws RpcException of kind NOT_CONNECTED if the runtime has been closed meanwhile; then the server is closed
     */
    void started(RpcServer server) throws RpcException {
        if (users != null) {
            users.add(server);
            closeIfLate(server, "a server");
        }
    }

    private void closeIfLate(AutoCloseable user, Object name) throws RpcException {
        synchronized (transports) {
            if (!closed) {
                return;
            }
        }
        close(user);
        throw closed(name);
    }

    /** Called when a server has been closed. */
    void forget(RpcServer server) {
        if (users != null) {
            users.remove(server);
        }
    }

    private static RpcException closed(Object name) {
        return new RpcException(Kind.NOT_CONNECTED, name + ": the runtime is closed");
    }

    /**
     * Closes the runtime's servers, as {@link RpcServer#close}, one after the other, its clients and connections, and then
     * releases what they used: registered memory, RDMA devices and event loops. Waits a bounded time. Threads end within a few
     * seconds, those that try to connect within the connect timeout. Idempotent.
     *
     * <p>Do not call this method in a handler or in a stage of a call's future: it waits for these.
     *
     * @throws UnsupportedOperationException if this is the {@link #shared} runtime
     */
    @Override
    public void close() {
        if (users == null) {
            throw new UnsupportedOperationException("the shared runtime is not closed: other code may use it");
        }
        List<RpcTransport> open;
        synchronized (transports) {
            closed = true;
            open = List.copyOf(transports.values());
        }
        List<RpcClient> clients = new ArrayList<>();
        for (AutoCloseable user : users) {
            close(user);
            if (user instanceof RpcClient client) {
                clients.add(client);
            }
        }
        awaitEnd(clients);
        open.forEach(RpcRuntime::close);
    }

    /** What cannot be closed does not keep the rest open. */
    private static void close(AutoCloseable user) {
        try {
            user.close();
        } catch (Exception | Error broken) {
            LOG.log(Level.WARNING, user + " cannot be closed with its runtime", broken);
        }
    }

    private static void awaitEnd(List<RpcClient> closed) {
        CompletableFuture<?>[] ends = closed.stream()
                .map(client -> client.closed().exceptionally(lost -> null).toCompletableFuture())
                .toArray(CompletableFuture<?>[]::new);
        try {
            CompletableFuture.allOf(ends).get(CLOSING_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException slow) {
            LOG.log(Level.DEBUG, "connections have not ended within {0} s", CLOSING_SECONDS);
        }
    }

    /**
     * The transport for an address.
     *
     * @throws RpcException of kind NOT_CONNECTED if no transport supports its scheme, or the runtime is closed
     */
    RpcTransport transport(URI address) throws RpcException {
        return transport(address.getScheme() == null ? "" : address.getScheme().toLowerCase(Locale.ROOT), address);
    }

    private RpcTransport transport(String scheme, Object name) throws RpcException {
        TreeSet<String> known = new TreeSet<>();
        for (RpcTransport.Factory factory : installed) {
            if (factory.schemes().contains(scheme)) {
                return opened(factory, name);
            }
            known.addAll(factory.schemes());
        }
        throw new RpcException(
                Kind.NOT_CONNECTED,
                name + ": no transport supports the scheme \"" + scheme + "\"; use one of "
                        + String.join(", ", known) + ". META-INF/services/" + RpcTransport.Factory.class.getName()
                        + " on the class path lists the transports");
    }

    private RpcTransport opened(RpcTransport.Factory factory, Object name) throws RpcException {
        synchronized (transports) {
            if (closed) {
                throw closed(name);
            }
            return transports.computeIfAbsent(factory, unopened -> unopened.open(resources.withOwnCounts()));
        }
    }

    /** Looks up the transports by the class loader of the runtime, and by the thread's: a container may set either. */
    private static List<RpcTransport.Factory> installed() {
        Class<RpcTransport.Factory> kind = RpcTransport.Factory.class;
        return new InstalledServices<>(kind, "a transport", LOG)
                .add(ServiceLoader.load(kind, kind.getClassLoader()))
                .add(ServiceLoader.load(kind))
                .add("org.emplace.rpc.tcp.TcpTransport$Factory")
                .add("org.emplace.rpcrdma.RdmaTransport$Factory")
                .found();
    }

    /** Chooses what a runtime may use. Used by one thread. */
    public static final class Builder {
        private Settings settings = Settings.DEFAULT;

        private Builder() {}

        /**
         * Sets how many threads serve the sockets of each transport, by default one for each processor. The {@code verbs}
         * provider has one.
         *
         * @throws IllegalArgumentException if the number is not positive
         */
        public Builder eventLoops(int threads) {
            settings = settings.withEventLoops(threads);
            return this;
        }

        /**
         * Sets the most bytes in the heap that the calls of peers may hold over TCP at a time, divided among connections
         * and addresses; the replies to them may hold as much, in and outside the heap. The default is a quarter of the
         * maximum heap.
         *
         * @throws IllegalArgumentException if the number is not positive
         */
        public Builder tcpMessageMemory(long bytes) {
            settings = settings.withTcpMessageMemory(bytes);
            return this;
        }

        /**
         * Sets the most bytes that each RDMA provider may register for its own buffers; by default half of the maximum heap.
         * Payloads that are sent from the application's direct buffers, and buffers that it registers, do not count.
         *
         * @throws IllegalArgumentException if the number is not positive
         */
        public Builder registeredMemory(long bytes) {
            settings = settings.withRegisteredMemory(bytes);
            return this;
        }

        /**
         * Sets the name of the only RDMA provider to use, {@code iwarp} or {@code verbs}, whatever the system property
         * {@code org.emplace.rdma.provider} says. Without a name, the property or the runtime chooses.
         */
        public Builder rdmaProvider(String name) {
            settings = settings.withRdmaProvider(name);
            return this;
        }

        /** Creates the runtime, which starts nothing until it is used. */
        public RpcRuntime build() {
            return new RpcRuntime(settings, ConcurrentHashMap.newKeySet());
        }
    }
}
