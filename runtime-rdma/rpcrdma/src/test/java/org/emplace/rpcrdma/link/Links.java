// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.link;

import java.net.InetAddress;
import java.time.Duration;
import org.emplace.rdma.QueuePair;
import org.emplace.rdma.RdmaProvider;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.transport.LogSampler;
import org.emplace.rpc.transport.Timekeeper;
import org.emplace.rpcrdma.header.InlineThresholds;
import org.emplace.rpcrdma.memory.OutgoingMessages;
import org.emplace.rpcrdma.memory.RdmaMemory;
import org.emplace.rpcrdma.memory.RegisteredPool;

/** Links of tests that stand in for a connection: messages of up to 1024 bytes, one second for a transfer, callbacks at once. */
public final class Links {
    private Links() {}

    /**
     * Makes a link.
     *
     * @param device registers its memory, in a pool of 1 MiB
     */
    public static Link over(QueuePair queuePair, Timekeeper time, RdmaProvider device, ConnectionReceives receives) {
        RdmaMemory memory = new RdmaMemory(device, new RegisteredPool(device, 1 << 20));
        return new Link(
                "test",
                queuePair,
                new SendQueue(queuePair, time, ConnectionOptions.DEFAULT, new LogSampler()),
                receives,
                memory,
                new OutgoingMessages(memory, 1024),
                memory.shares().connection(InetAddress.getLoopbackAddress()),
                new InlineThresholds(1024, 1024),
                false,
                Runnable::run,
                time,
                Duration.ofSeconds(1),
                new LogSampler());
    }
}
