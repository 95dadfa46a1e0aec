// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.grpc;

import com.google.common.util.concurrent.ListenableFuture;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.util.internal.PlatformDependent;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.emplace.benchmarks.load.Connection;

/** A channel with one connection on Netty's epoll transport, without TLS. Responses are received on its event loop. */
public final class GrpcConnection implements Connection {
    private final ManagedChannel channel;

    private GrpcConnection(ManagedChannel channel) {
        this.channel = channel;
    }

    /** A channel that connects with its first call. */
    public static GrpcConnection to(InetSocketAddress server) {
        return new GrpcConnection(NettyChannelBuilder.forAddress(server)
                .usePlaintext()
                .directExecutor()
                .disableRetry()
                .flowControlWindow(GrpcServer.WINDOW)
                .maxInboundMessageSize(GrpcServer.MAXIMUM_MESSAGE)
                .build());
    }

    /** Bytes of direct memory of this process that Netty has allocated without the JVM's accounting. */
    public static long directMemory() {
        return Math.max(0, PlatformDependent.usedDirectMemory());
    }

    ListenableFuture<Block> start(MethodDescriptor<Block, Block> method, Block request) {
        return ClientCalls.futureUnaryCall(channel.newCall(method, CallOptions.DEFAULT), request);
    }

    @Override
    public void callNull() {
        ClientCalls.blockingUnaryCall(channel, BlockService.nullMethod(), CallOptions.DEFAULT, Block.EMPTY);
    }

    @Override
    public CompletionStage<?> callHeld() {
        CompletableFuture<Block> completion = new CompletableFuture<>();
        ClientCalls.asyncUnaryCall(
                channel.newCall(BlockService.held(), CallOptions.DEFAULT), Block.EMPTY, new StreamObserver<>() {
                    @Override
                    public void onNext(Block value) {
                        completion.complete(value);
                    }

                    @Override
                    public void onError(Throwable failure) {
                        completion.completeExceptionally(failure);
                    }

                    @Override
                    public void onCompleted() {
                        // The value has already arrived.
                    }
                });
        return completion;
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }
}
