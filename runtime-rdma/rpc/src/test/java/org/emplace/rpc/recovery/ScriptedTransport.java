// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.recovery;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import org.emplace.reactor.ManualClock;
import org.emplace.rpc.CallOptions;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.Destinations;
import org.emplace.rpc.Procedure;
import org.emplace.rpc.RegisteredBuffer.MemoryDomain;
import org.emplace.rpc.RpcCall;
import org.emplace.rpc.RpcException;
import org.emplace.rpc.RpcException.Kind;
import org.emplace.rpc.RpcService;
import org.emplace.rpc.limits.ConnectionLimit;
import org.emplace.rpc.server.ServiceDispatcher;
import org.emplace.rpc.transport.RpcTransport;
import org.emplace.rpc.transport.RpcTransport.Listener;
import org.jspecify.annotations.Nullable;

/** A transport whose connections and replies the test controls. */
final class ScriptedTransport implements RpcTransport {
    /** All that were made, in order. */
    final List<Connection> connections = new ArrayList<>();
    /** The addresses of all attempts to connect. */
    final List<URI> attempts = new ArrayList<>();

    private final ManualClock clock;
    /** Runs when a client connects. May throw, or end the connection. */
    Attempt script = () -> {};

    /** What happens when a client connects. */
    @FunctionalInterface
    interface Attempt {
        void run() throws RpcException;
    }

    ScriptedTransport(ManualClock clock) {
        this.clock = clock;
    }

    /** Makes each later attempt to connect fail, after some time. */
    void unreachableAfter(Duration time) {
        script = () -> {
            clock.pass(time);
            throw new RpcException(Kind.NOT_CONNECTED, "unreachable");
        };
    }

    void reachable() {
        script = () -> {};
    }

    @Override
    public void close() {
        connections.forEach(Connection::close);
    }

    @Override
    public Connection connect(URI address, ConnectionOptions options) throws RpcException {
        attempts.add(address);
        script.run();
        Connection made = new Connection(connections.size());
        connections.add(made);
        return made;
    }

    @Override
    public Listener listen(
            URI address, ServiceDispatcher dispatcher, ConnectionOptions options, ConnectionLimit limit) {
        throw new UnsupportedOperationException();
    }

    /** A connection that holds calls until the test answers them. */
    static final class Connection implements RpcTransport.Connection {
        /** All that were made, in order. */
        final List<Call<?>> calls = new ArrayList<>();

        final List<RpcService> served = new ArrayList<>();
        final MemoryDomain memory = direct -> {
            throw new UnsupportedOperationException();
        };
        boolean credit = true;
        boolean isClosed;
        boolean backwardCalls;
        /** Run before a call is made. */
        Runnable calling = () -> {};

        private final int number;
        private final CompletableFuture<Void> closed = new CompletableFuture<>();

        Connection(int number) {
            this.number = number;
        }

        /** Ends the connection as if the peer had closed it: all calls fail. */
        void lose() {
            RpcException why = new RpcException(Kind.DISCONNECTED, "lost");
            closed.completeExceptionally(why);
            List.copyOf(calls).forEach(call -> call.result.completeExceptionally(why));
        }

        /** Completes {@link #closed()} after a {@link #close}. */
        void complete() {
            closed.complete(null);
        }

        @Override
        public <A, R> RpcCall<R> call(
                int xid, Procedure<A, R> procedure, A arguments, Destinations destinations, CallOptions options) {
            calling.run();
            Call<R> made = new Call<>(xid, procedure, arguments, destinations, options);
            calls.add(made);
            return made;
        }

        @Override
        public <A, R> RpcCall<R> call(
                Procedure<A, R> procedure, A arguments, Destinations destinations, CallOptions options) {
            throw new UnsupportedOperationException("a client chooses the xid");
        }

        @Override
        public boolean hasCredit() {
            return credit;
        }

        @Override
        public MemoryDomain memory() {
            return memory;
        }

        @Override
        public void serve(RpcService service) {
            served.add(service);
        }

        @Override
        public void enableBackwardCalls() {
            backwardCalls = true;
        }

        @Override
        public InetSocketAddress remoteAddress() {
            return new InetSocketAddress(InetAddress.getLoopbackAddress(), number);
        }

        @Override
        public CompletionStage<Void> closed() {
            return closed.minimalCompletionStage();
        }

        @Override
        public void close() {
            isClosed = true;
        }

        @Override
        public String toString() {
            return "connection " + number;
        }
    }

    /** A call that the test ends, through {@link #result}. */
    static final class Call<R> implements RpcCall<R> {
        final int xid;
        final Procedure<?, R> procedure;
        final Object arguments;
        final Destinations destinations;
        final CallOptions options;
        final CompletableFuture<R> result = new CompletableFuture<>();
        boolean isCancelled;

        Call(int xid, Procedure<?, R> procedure, Object arguments, Destinations destinations, CallOptions options) {
            this.xid = xid;
            this.procedure = procedure;
            this.arguments = arguments;
            this.destinations = destinations;
            this.options = options;
        }

        @SuppressWarnings("unchecked")
        void answer(@Nullable Object value) {
            result.complete((R) value);
        }

        void fail(Kind kind) {
            result.completeExceptionally(new RpcException(kind, "failed as " + kind));
        }

        @Override
        public CompletionStage<R> completion() {
            return result.minimalCompletionStage();
        }

        @Override
        public R await() throws RpcException, InterruptedException {
            try {
                return result.get();
            } catch (InterruptedException interrupted) {
                cancel();
                throw interrupted;
            } catch (ExecutionException failed) {
                throw (RpcException) failed.getCause();
            }
        }

        @Override
        public void cancel() {
            isCancelled = true;
            fail(Kind.CANCELLED);
        }
    }
}
