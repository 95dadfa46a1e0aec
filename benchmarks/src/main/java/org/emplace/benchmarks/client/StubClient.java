// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.client;

import java.net.URI;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.emplace.benchmarks.load.CallWindow;
import org.emplace.benchmarks.load.Client;
import org.emplace.benchmarks.load.Load;
import org.emplace.benchmarks.nfs3.Nfs3Client;
import org.emplace.benchmarks.nfs3.Read3Args;
import org.emplace.benchmarks.nfs3.StableHow;
import org.emplace.benchmarks.nfs3.Write3Args;
import org.emplace.rpc.Destination;
import org.emplace.rpc.RegisteredBuffer;
import org.emplace.rpc.RpcCall;
import org.emplace.rpc.RpcException;

/** Emplace's generated client. Payloads rotate over registered memory. */
final class StubClient implements Client, CallWindow.Caller<RpcCall<?>> {
    private final List<StubConnection> connections = new ArrayList<>();
    private final RegisteredBuffer memory;

    /** Opens {@code number} connections. */
    StubClient(URI address, int number) throws RpcException {
        for (int i = 0; i < number; i++) {
            connections.add(StubConnection.to(address));
        }
        memory = connections.get(0).rpc().memory().register(ByteBuffer.allocateDirect(Load.MEMORY));
    }

    @Override
    public void run(Load load, Histogram durations) throws Exception {
        CallWindow.run(this, load, durations);
    }

    @Override
    public RpcCall<?> start(Load load, int number) {
        Nfs3Client nfs = connections.get(number % connections.size()).nfs();
        int offset = load.offset(number);
        int size = load.size();
        return switch (load.operation()) {
            case NULL -> nfs.nullProcedureAsync();
            case READ ->
                nfs.readAsync(new Read3Args(StubConnection.FILE, offset, size), Destination.into(memory, offset, size));
            case WRITE ->
                nfs.writeAsync(new Write3Args(
                        StubConnection.FILE, offset, size, StableHow.UNSTABLE, memory.payload(offset, size)));
        };
    }

    @Override
    public void finish(RpcCall<?> call) throws RpcException, InterruptedException {
        call.await();
    }

    @Override
    public void close() {
        connections.forEach(StubConnection::close);
    }
}
