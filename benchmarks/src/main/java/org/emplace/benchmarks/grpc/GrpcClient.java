// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.grpc;

import com.google.common.util.concurrent.ListenableFuture;
import io.grpc.MethodDescriptor;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.emplace.benchmarks.load.CallWindow;
import org.emplace.benchmarks.load.Client;
import org.emplace.benchmarks.load.Load;

/** gRPC's client. Payloads rotate over heap memory. */
public final class GrpcClient implements Client, CallWindow.Caller<ListenableFuture<Block>> {
    private final byte[] source = new byte[Load.MEMORY];
    private final MethodDescriptor<Block, Block> nullMethod = BlockService.nullMethod();
    private final MethodDescriptor<Block, Block> read = BlockService.read(new BlockMarshaller(new RotatingMemory()));
    private final MethodDescriptor<Block, Block> write = BlockService.write(BlockMarshaller.FRESH);
    private final List<GrpcConnection> connections;

    /** Opens {@code number} connections to a server. */
    public GrpcClient(InetSocketAddress server, int number) {
        connections =
                Stream.generate(() -> GrpcConnection.to(server)).limit(number).toList();
        connections.forEach(GrpcConnection::callNull);
    }

    @Override
    public void run(Load load, Histogram durations) throws Exception {
        CallWindow.run(this, load, durations);
    }

    @Override
    public ListenableFuture<Block> start(Load load, int number) {
        GrpcConnection connection = connections.get(number % connections.size());
        int offset = load.offset(number);
        return switch (load.operation()) {
            case NULL -> connection.start(nullMethod, Block.EMPTY);
            case READ -> connection.start(read, Block.range(offset, load.size()));
            case WRITE -> connection.start(write, new Block(source, offset, load.size()));
        };
    }

    @Override
    public void finish(ListenableFuture<Block> call) throws ExecutionException, InterruptedException {
        call.get();
    }

    @Override
    public void close() {
        connections.forEach(GrpcConnection::close);
    }
}
