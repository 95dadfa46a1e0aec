// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.recovery;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.emplace.reactor.Timekeeper;
import org.emplace.rpc.CallOptions;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.Destinations;
import org.emplace.rpc.Procedure;
import org.emplace.rpc.RecoveryObserver;
import org.emplace.rpc.RegisteredBuffer.MemoryDomain;
import org.emplace.rpc.ResultPlaces;
import org.emplace.rpc.RpcCall;
import org.emplace.rpc.RpcClient;
import org.emplace.rpc.RpcException;
import org.emplace.rpc.RpcException.Kind;
import org.emplace.rpc.RpcProgram;
import org.emplace.rpc.RpcService;
import org.emplace.rpc.client.CallQueue;
import org.emplace.rpc.transport.RpcTransport;
import org.emplace.rpc.transport.RpcTransport.Connection;
import org.emplace.rpc.transport.RuntimeResources;
import org.jspecify.annotations.Nullable;

/**
 * A client that reconnects when its connection is lost, and resends the calls that have no reply. It
 * reconnects when a call needs it, or at once if it serves the peer. Safe for use by several threads.
 */
public final class RecoveringConnection implements RpcClient {
    private static final Logger LOG = System.getLogger(RecoveringConnection.class.getName());

    private final Attempts attempts;
    private final ConnectionOptions options;
    private final RuntimeResources resources;
    private final KeepAlive keepAlive;
    private final CompletableFuture<Void> closed = new CompletableFuture<>();

    /** Starts at a random number, so that a server does not confuse a call with one of an earlier client. */
    private final AtomicInteger nextXid;

    /** Whether calls are still to be resent over the current connection. */
    private volatile boolean resuming;

    /** The latest connection; null before the first. This field and those below are guarded by this. */
    private @Nullable Connection connection;

    private boolean connected;
    private boolean connecting;
    private Timekeeper.@Nullable Timer attempt;
    private boolean isClosed;
    private final Set<RecoveredCall<?, ?>> waiting = new LinkedHashSet<>();
    private final List<RpcService> services = new ArrayList<>();
    private @Nullable RecoveryEvent event;
    /** Why there is no connection; null if there is one, or none was needed yet. */
    private @Nullable String trouble;

    /**
     * Creates a client and, unless it {@linkplain ConnectionOptions#lazyConnect connects when it is used}, its first
     * connection; see {@link org.emplace.Rpc#client(URI, ConnectionOptions, org.emplace.rpc.RpcProgram...)}.
     *
     * @param random selects the first xid and the delays; safe for use by several threads
     * @throws RpcException if the server cannot be located, or of kind NOT_CONNECTED if the first connection cannot be
     *     made
     */
    public RecoveringConnection(
            URI address,
            Location location,
            RpcTransport transport,
            ConnectionOptions options,
            RuntimeResources resources,
            RandomGenerator random)
            throws RpcException {
        this.attempts = new Attempts(address, location, transport, options, resources.time(), random);
        this.options = options;
        this.resources = resources;
        this.nextXid = new AtomicInteger(random.nextInt());
        this.keepAlive = new KeepAlive(this, attempts, options.keepAlive());
        if (!options.lazyConnect()) {
            Connection first = attempts.connect();
            try {
                established(first);
            } catch (RuntimeException | Error broken) {
                first.reset();
                throw broken;
            }
        }
    }

    /** Where a server is. */
    @FunctionalInterface
    public interface Location {
        /**
         * Returns the server's current address. Called before the first attempt to connect, and before each attempt after a
         * failed one. May block.
         *
         * @param former the address of the attempt that has failed; at first, the one that the client was given
         * @throws RpcException if the server cannot be located
         */
        URI locate(URI former) throws RpcException;
    }

    @Override
    public <A, R> RpcCall<R> call(
            Procedure<A, R> procedure, A arguments, Destinations destinations, CallOptions callOptions) {
        ResultPlaces.requireSuitable(procedure.binding(), arguments, destinations);
        RecoveredCall<A, R> call = new RecoveredCall<>(this, newXid(), procedure, arguments, destinations, callOptions);
        try {
            keepAlive.called(procedure);
            send(call);
        } catch (RuntimeException | Error broken) {
            forget(call);
            call.failUnsent(broken);
        }
        return call;
    }

    /** Sends a call over the current connection, or lets it wait for the next one. */
    void send(RecoveredCall<?, ?> call) {
        Connection usable = null;
        RpcException refusal = null;
        synchronized (this) {
            if (isClosed) {
                refusal = closedHere(call);
            } else if (connected) {
                usable = connection;
            } else if (waiting.size() >= CallQueue.LIMIT && !call.wasSent()) {
                refusal = new RpcException(
                        Kind.QUEUE_FULL,
                        call + ": " + CallQueue.LIMIT
                                + " calls already wait for a connection; wait for some to complete before making more");
            } else {
                waiting.add(call);
                connectLater();
            }
        }
        if (refusal != null) {
            call.fail(refusal);
        } else if (usable != null) {
            call.sendOver(usable);
        } else {
            call.waits();
        }
    }

    private static RpcException closedHere(Object what) {
        return new RpcException(Kind.DISCONNECTED, what + ": closed by this side");
    }

    /** Removes a call that waits for a connection. Returns false if it was not waiting. */
    synchronized boolean forget(RecoveredCall<?, ?> call) {
        return waiting.remove(call);
    }

    /** Called when a call has got a reply. */
    void answered() {
        attempts.replied();
        keepAlive.replyReceived();
    }

    /** Called when a call is over. */
    void completed() {
        keepAlive.completed();
        if (resuming) {
            resume(2);
        }
    }

    /** Sends this number of waiting calls, or fewer if there are not so many. */
    private void resume(int most) {
        Connection usable = current();
        int left = most;
        while (usable != null && left > 0 && resumeNext(usable)) {
            left--;
        }
    }

    /** Sends the first waiting call, if this is still the connection. Returns false if it is not, or none waits. */
    private boolean resumeNext(Connection usable) {
        RecoveredCall<?, ?> first;
        synchronized (this) {
            if (current() != usable) {
                return false;
            }
            resuming = waiting.size() > 1;
            if (waiting.isEmpty()) {
                return false;
            }
            first = waiting.iterator().next();
            waiting.remove(first);
        }
        first.sendOver(usable);
        return true;
    }

    /** Called when a call is resent. */
    void resending(Procedure<?, ?> procedure, int xid) {
        tell(observer -> observer.resent(procedure, xid));
    }

    int newXid() {
        return nextXid.getAndIncrement();
    }

    /** Run code that may call the application. */
    Executor callbacks() {
        return resources.workers();
    }

    Executor threads() {
        return resources.connecting();
    }

    Timekeeper time() {
        return resources.time();
    }

    /** The current connection; null if there is none. */
    synchronized @Nullable Connection current() {
        return connected ? connection : null;
    }

    /**
     * Called when a connection is over or no longer usable. Only the first call for the latest connection has an
     * effect.
     */
    void disconnected(Connection over, RpcException why) {
        synchronized (this) {
            if (over != connection || !connected) {
                return;
            }
            connected = false;
            if (isClosed) {
                return;
            }
            RecoveryEvent begun = new RecoveryEvent();
            begun.begin();
            begun.address = toString();
            begun.cause = String.valueOf(why.getMessage());
            event = begun;
            trouble = String.valueOf(why.getMessage());
            connectLater();
        }
        over.reset();
        LOG.log(
                keepAlive.isAwaited() ? Level.WARNING : Level.DEBUG,
                "{0}: lost the connection: {1}",
                this,
                why.getMessage());
        tell(observer -> observer.disconnected(attempts.address(), String.valueOf(why.getMessage())));
    }

    /** Calls the observer. An exception from it is logged and has no other effect. */
    private void tell(Consumer<RecoveryObserver> news) {
        try {
            news.accept(options.recoveryObserver());
        } catch (RuntimeException | Error broken) {
            LOG.log(Level.ERROR, this + ": the recovery observer threw an exception", broken);
        }
    }

    /** Schedules an attempt to connect, if a connection is needed and no attempt is scheduled or running. */
    private synchronized void connectLater() {
        if (!connecting && !connected && !isClosed && (!waiting.isEmpty() || !services.isEmpty())) {
            attempt = time().after(attempts.delay(), this::connectElsewhere);
            connecting = true;
        }
    }

    private void connectElsewhere() {
        try {
            threads().execute(this::connectAgain);
        } catch (RuntimeException | Error broken) {
            notConnected(broken);
        }
    }

    private void connectAgain() {
        if (closing()) {
            return;
        }
        Connection next;
        try {
            next = attempts.connect();
        } catch (RpcException unreachable) {
            notConnected(unreachable);
            return;
        } catch (RuntimeException | Error broken) {
            notConnected(broken);
            return;
        }
        if (isFirst()) {
            LOG.log(Level.DEBUG, "{0}: connected", this);
        } else {
            LOG.log(Level.INFO, "{0}: reconnected", this);
            tell(observer -> observer.reconnected(attempts.address(), this));
        }
        try {
            established(next);
        } catch (RuntimeException | Error broken) {
            next.close();
            notConnected(broken);
        }
    }

    private synchronized boolean isFirst() {
        return connection == null;
    }

    private synchronized boolean closing() {
        return isClosed;
    }

    private void established(Connection next) {
        int first;
        synchronized (this) {
            connecting = false;
            if (isClosed) {
                next.close();
                return;
            }
            services.forEach(next::serve);
            connection = next;
            connected = true;
            attempts.countAttempt();
            if (event != null) {
                event.commit();
                event = null;
            }
            trouble = null;
            // If connections end before they have carried anything, all calls together are more than one carries.
            first = attempts.areFruitless() ? 1 : Integer.MAX_VALUE;
        }
        next.closed()
                .whenComplete((done, failure) -> disconnected(
                        next, RecoveredCall.causeOf(failure) instanceof RpcException known ? known : closedHere(next)));
        resume(first);
    }

    private void notConnected(Throwable broken) {
        notConnected(new RpcException(Kind.NOT_CONNECTED, this + ": cannot connect: " + broken, broken));
    }

    private void notConnected(RpcException why) {
        boolean isNews;
        synchronized (this) {
            connecting = false;
            attempts.countAttempt();
            // The loss of a connection has been logged.
            isNews = trouble == null;
            trouble = String.valueOf(why.getMessage());
            if (event != null) {
                event.attempts++;
                event.cause = String.valueOf(why.getMessage());
            }
            connectLater();
        }
        LOG.log(isNews ? Level.WARNING : Level.DEBUG, "{0}: not connected: {1}", this, why.getMessage());
        tell(observer -> observer.notConnected(attempts.address(), why));
    }

    /** The reason why there is no connection, for the message of a call that has timed out; empty if there is one. */
    synchronized String troubles() {
        return trouble == null ? "" : "; no connection: " + trouble;
    }

    @Override
    public MemoryDomain memory() {
        return latest().memory();
    }

    private synchronized Connection latest() {
        if (connection == null) {
            throw new IllegalStateException(this + ": not connected yet; this client connects at its first call");
        }
        return connection;
    }

    @Override
    public synchronized void serve(RpcService service) {
        if (connection != null) {
            connection.serve(service);
        } else {
            requireNew(service.program());
        }
        services.add(service);
        connectLater();
    }

    /** As a connection does, which would refuse the service when it is made. */
    private void requireNew(RpcProgram program) {
        for (RpcService served : services) {
            if (served.program().number() == program.number()
                    && served.program().version() == program.version()) {
                throw new IllegalArgumentException(
                        "program " + program.number() + " version " + program.version() + " is served already");
            }
        }
    }

    @Override
    public InetSocketAddress remoteAddress() {
        return latest().remoteAddress();
    }

    @Override
    public CompletionStage<Void> closed() {
        return closed.minimalCompletionStage();
    }

    @Override
    public void close() {
        List<RecoveredCall<?, ?>> unsent;
        @Nullable Connection latest;
        synchronized (this) {
            isClosed = true;
            latest = connection;
            if (attempt != null) {
                attempt.cancel();
            }
            unsent = List.copyOf(waiting);
            waiting.clear();
        }
        keepAlive.close();
        if (latest != null) {
            latest.close();
        }
        unsent.forEach(call -> call.fail(closedHere(call)));
        if (latest == null) {
            closed.complete(null);
        } else {
            latest.closed().whenComplete((done, why) -> closed.complete(null));
        }
    }

    @Override
    public String toString() {
        return attempts.toString();
    }
}
