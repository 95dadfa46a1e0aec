// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.tcp;

import java.io.IOException;
import java.util.concurrent.Executor;
import org.emplace.reactor.LoopGroup;
import org.emplace.rpc.MemoryDomain;
import org.emplace.rpc.transport.CallbackThreads;
import org.emplace.rpc.transport.LogSampler;
import org.emplace.rpc.transport.MemoryShares;
import org.emplace.rpc.transport.Timekeeper;

/**
 * What all connections of the transport share. Its threads start when they are needed.
 *
 * @param callbacks runs what may reach user code
 * @param shares of the memory outside the heap that replies hold, of which nobody takes all
 * @param lost counts the connections that end by a fault, mostly the peer's
 * @param unsendable counts the replies that cannot be sent
 */
record TcpResources(
        LoopGroup loops,
        Timekeeper time,
        Executor callbacks,
        MemoryDomain memory,
        MemoryShares shares,
        LogSampler lost,
        LogSampler unsendable) {

    /** @param memory that replies may hold at a time, in bytes */
    static TcpResources open(long memory) throws IOException {
        return new TcpResources(
                LoopGroup.open("emplace-tcp"),
                Timekeeper.system("emplace-tcp-timer"),
                CallbackThreads.daemons("emplace-tcp-callback"),
                new TcpMemory(),
                new MemoryShares(memory),
                new LogSampler(),
                new LogSampler());
    }
}
