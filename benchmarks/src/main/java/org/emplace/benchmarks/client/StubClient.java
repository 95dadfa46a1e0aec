// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.client;

import java.net.URI;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Queue;
import org.HdrHistogram.Histogram;
import org.emplace.Rpc;
import org.emplace.benchmarks.load.Load;
import org.emplace.benchmarks.nfs3.Nfs3Client;
import org.emplace.benchmarks.nfs3.NfsFh3;
import org.emplace.benchmarks.nfs3.Read3Args;
import org.emplace.benchmarks.nfs3.StableHow;
import org.emplace.benchmarks.nfs3.Write3Args;
import org.emplace.rpc.CallOptions;
import org.emplace.rpc.Destination;
import org.emplace.rpc.RegisteredBuffer;
import org.emplace.rpc.RpcCall;
import org.emplace.rpc.RpcConnection;
import org.emplace.rpc.RpcException;
import org.emplace.xdr.XdrOpaque;
import org.jspecify.annotations.Nullable;

/** Emplace: the generated client, with registered buffers, over the transport that the address names. */
final class StubClient implements Client {
    private static final NfsFh3 FILE = new NfsFh3(XdrOpaque.of(new byte[8]));

    private final RpcConnection connection;
    private final Nfs3Client nfs;
    private @Nullable RegisteredBuffer memory;

    StubClient(URI address) throws RpcException {
        connection = Rpc.connect(address);
        nfs = Nfs3Client.on(connection, CallOptions.DEFAULT);
    }

    /** A call under way. */
    private record Started(RpcCall<?> call, long at) {}

    @Override
    public void run(Load load, Histogram durations) throws RpcException, InterruptedException {
        RegisteredBuffer buffers = memory(load.size() * load.inFlight());
        Queue<Started> underWay = new ArrayDeque<>();
        for (int i = 0; i < load.calls(); i++) {
            if (underWay.size() == load.inFlight()) {
                finish(underWay.remove(), durations);
            }
            int offset = i % load.inFlight() * load.size();
            long now = System.nanoTime();
            underWay.add(new Started(start(load, buffers, offset), now));
        }
        for (Started call : underWay) {
            finish(call, durations);
        }
    }

    private RpcCall<?> start(Load load, RegisteredBuffer buffers, int offset) {
        int size = load.size();
        return switch (load.operation()) {
            case NULL -> nfs.nullProcedureAsync(CallOptions.DEFAULT);
            case READ ->
                nfs.readAsync(
                        new Read3Args(FILE, 0, size), Destination.into(buffers, offset, size), CallOptions.DEFAULT);
            case WRITE ->
                nfs.writeAsync(
                        new Write3Args(FILE, 0, size, StableHow.UNSTABLE, buffers.payload(offset, size)),
                        CallOptions.DEFAULT);
        };
    }

    private static void finish(Started started, Histogram durations) throws RpcException, InterruptedException {
        started.call().await();
        durations.recordValue(System.nanoTime() - started.at());
    }

    private RegisteredBuffer memory(int size) throws RpcException {
        RegisteredBuffer large = memory;
        if (large == null || large.length() < size) {
            large = connection.memory().register(ByteBuffer.allocateDirect(Math.max(size, 1)));
            memory = large;
        }
        return large;
    }

    @Override
    public void close() {
        connection.close();
    }
}
