// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.emplace.rpc.CallOptions;
import org.emplace.rpc.Destinations;
import org.emplace.rpc.Procedure;
import org.emplace.rpc.RegisteredBuffer.MemoryDomain;
import org.emplace.rpc.RpcCall;
import org.emplace.rpc.RpcConnection;

/** A connection without a peer, which records the calls made on it. */
final class RecordedCalls implements RpcConnection {
    private final List<Recorded> calls = new ArrayList<>();

    /** A call as the client passed it. */
    record Recorded(Procedure<?, ?> procedure, Object arguments, Destinations destinations, CallOptions options) {}

    Recorded last() {
        return calls.get(calls.size() - 1);
    }

    @Override
    public <A, R> RpcCall<R> call(
            Procedure<A, R> procedure, A arguments, Destinations destinations, CallOptions options) {
        calls.add(new Recorded(procedure, arguments, destinations, options));
        return new Unanswered<>();
    }

    private static final class Unanswered<R> implements RpcCall<R> {
        @Override
        public CompletionStage<R> completion() {
            return new CompletableFuture<>();
        }

        @Override
        public R await() {
            throw new UnsupportedOperationException("nobody answers");
        }

        @Override
        public void cancel() {}
    }

    @Override
    public MemoryDomain memory() {
        throw new UnsupportedOperationException("no memory");
    }

    @Override
    public InetSocketAddress remoteAddress() {
        throw new UnsupportedOperationException("nobody is there");
    }

    @Override
    public CompletionStage<Void> closed() {
        return new CompletableFuture<>();
    }

    @Override
    public void close() {}
}
