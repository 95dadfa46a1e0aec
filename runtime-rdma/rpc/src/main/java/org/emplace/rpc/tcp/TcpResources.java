// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.tcp;

import java.io.IOException;
import org.emplace.reactor.LoopGroup;
import org.emplace.rpc.MemoryDomain;
import org.emplace.rpc.transport.CallbackThreads;
import org.emplace.rpc.transport.Callbacks;
import org.emplace.rpc.transport.LogSampler;
import org.emplace.rpc.transport.MemoryShares;
import org.emplace.rpc.transport.Timekeeper;

/**
 * The threads and counts that all connections of the transport share. The threads start when they are needed.
 *
 * @param loops serve the sockets
 * @param time clock and timers
 * @param callbacks runs code that may call the application
 * @param memory creates registered buffers
 * @param requests limits the memory in the heap that the calls of each peer hold
 * @param replies limits the memory outside the heap that the replies to each peer hold
 * @param lost counts connections that end by an error, usually of the peer
 * @param unsendable counts replies that cannot be sent
 */
record TcpResources(
        LoopGroup loops,
        Timekeeper time,
        Callbacks callbacks,
        MemoryDomain memory,
        MemoryShares requests,
        MemoryShares replies,
        LogSampler lost,
        LogSampler unsendable) {

    /** @param memory the most bytes that calls may hold in the heap at a time, and that replies may hold outside it */
    static TcpResources open(long memory) throws IOException {
        return new TcpResources(
                LoopGroup.open("emplace-tcp"),
                Timekeeper.system("emplace-tcp-timer"),
                CallbackThreads.daemons("emplace-tcp-callback"),
                new TcpMemory(),
                new MemoryShares(memory),
                new MemoryShares(memory),
                new LogSampler(),
                new LogSampler());
    }
}
