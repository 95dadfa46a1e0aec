// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.grpc;

import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallExecutorSupplier;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * gRPC's server on Netty's epoll transport. Answers NULL on the event loop, and other calls on a pool with as many threads as Emplace's server has.
 * READ and WRITE rotate over heap memory. gRPC copies payloads once between that memory and its buffers, which direct memory would not avoid.
 */
public final class GrpcServer implements AutoCloseable {
    /** HTTP/2's flow-control window in bytes: several messages of 1 MiB. */
    static final int WINDOW = 16 << 20;
    /** The longest message in bytes, as for Emplace. */
    static final int MAXIMUM_MESSAGE = 4 << 20;

    private static final int THREADS = 16;

    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS, GrpcServer::daemon);
    private final RotatingMemory memory = new RotatingMemory();
    private final CompletionStage<Void> released;
    private final Server server;

    /**
     * Listens; port 0 selects a free port.
     *
     * @param released when it completes, the held calls are answered
     */
    public GrpcServer(InetSocketAddress local, CompletionStage<Void> released) throws IOException {
        this.released = released;
        server = NettyServerBuilder.forAddress(local)
                .directExecutor()
                .callExecutor(new PoolForAllButNull(threads))
                .flowControlWindow(WINDOW)
                .maxInboundMessageSize(MAXIMUM_MESSAGE)
                .addService(service())
                .build()
                .start();
    }

    private record PoolForAllButNull(Executor pool) implements ServerCallExecutorSupplier {
        @Override
        public <Q, R> @Nullable Executor getExecutor(ServerCall<Q, R> call, Metadata metadata) {
            return call.getMethodDescriptor().getFullMethodName().equals(BlockService.NULL) ? null : pool;
        }
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "grpc-pool");
        thread.setDaemon(true);
        return thread;
    }

    private ServerServiceDefinition service() {
        return ServerServiceDefinition.builder(BlockService.NAME)
                .addMethod(
                        BlockService.nullMethod(),
                        ServerCalls.asyncUnaryCall((request, response) -> answer(response, Block.EMPTY)))
                .addMethod(
                        BlockService.read(BlockMarshaller.FRESH),
                        ServerCalls.asyncUnaryCall(
                                (request, response) -> answer(response, request.rangeOf(memory.bytes()))))
                .addMethod(
                        BlockService.write(new BlockMarshaller(memory)),
                        ServerCalls.asyncUnaryCall((request, response) -> answer(response, Block.EMPTY)))
                .addMethod(
                        BlockService.held(),
                        ServerCalls.asyncUnaryCall((request, response) ->
                                released.thenRunAsync(() -> answer(response, Block.EMPTY), threads)))
                .build();
    }

    private static void answer(StreamObserver<Block> response, Block block) {
        response.onNext(block);
        response.onCompleted();
    }

    /** The listening address, with the actual port. */
    public InetSocketAddress address() {
        return (InetSocketAddress) server.getListenSockets().get(0);
    }

    @Override
    public void close() {
        server.shutdownNow();
        threads.shutdownNow();
    }
}
