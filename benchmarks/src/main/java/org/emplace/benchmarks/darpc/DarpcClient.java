// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.darpc;

import com.ibm.darpc.DaRPCClientEndpoint;
import com.ibm.darpc.DaRPCClientGroup;
import com.ibm.darpc.DaRPCFuture;
import com.ibm.darpc.DaRPCStream;
import java.net.InetSocketAddress;
import org.HdrHistogram.Histogram;
import org.emplace.benchmarks.load.CallWindow;
import org.emplace.benchmarks.load.Client;
import org.emplace.benchmarks.load.Load;
import org.emplace.benchmarks.load.Load.Operation;

/** DaRPC's client. It always polls for responses, because DaRPC has no other way. */
public final class DarpcClient implements Client, CallWindow.Caller<DaRPCFuture<EmptyMessage, EmptyMessage>> {
    private static final int TIMEOUT_MILLIS = 10_000;

    private final DaRPCStream<EmptyMessage, EmptyMessage> stream;

    /** Connects to a {@link DarpcServer}. */
    public DarpcClient(InetSocketAddress server) throws Exception {
        DaRPCClientGroup<EmptyMessage, EmptyMessage> group = DaRPCClientGroup.createClientGroup(
                new EmptyMessage.Protocol(), TIMEOUT_MILLIS, DarpcServer.INLINE, DarpcServer.QUEUE, DarpcServer.QUEUE);
        DaRPCClientEndpoint<EmptyMessage, EmptyMessage> endpoint = group.createEndpoint();
        endpoint.connect(server, TIMEOUT_MILLIS);
        stream = endpoint.createStream();
    }

    @Override
    public void run(Load load, Histogram durations) throws Exception {
        if (load.operation() != Operation.NULL) {
            throw new IllegalArgumentException("DaRPC moves nothing but messages: " + load);
        }
        CallWindow.run(this, load, durations);
    }

    @Override
    public DaRPCFuture<EmptyMessage, EmptyMessage> start(Load load, int number) throws Exception {
        return stream.request(new EmptyMessage(), new EmptyMessage(), false);
    }

    @Override
    public void finish(DaRPCFuture<EmptyMessage, EmptyMessage> call) throws Exception {
        call.get();
    }

    /** Does nothing: the end of the process ends the connection. */
    @Override
    public void close() {
        // Nothing else uses it.
    }
}
