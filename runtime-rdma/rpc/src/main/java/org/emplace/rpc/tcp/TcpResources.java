// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.tcp;

import java.io.IOException;
import java.util.concurrent.Executor;
import org.emplace.reactor.LoopGroup;
import org.emplace.rpc.MemoryDomain;
import org.emplace.rpc.transport.CallbackThreads;
import org.emplace.rpc.transport.LogSampler;
import org.emplace.rpc.transport.Timekeeper;

/**
 * The threads and counts that all connections of the transport share. The threads start when they are needed.
 *
 * @param loops serve the sockets
 * @param time clock and timers
 * @param callbacks runs code that may call the application
 * @param memory creates registered buffers
 * @param lost counts connections that end by an error, usually of the peer
 * @param unsendable counts replies that cannot be sent
 */
record TcpResources(
        LoopGroup loops,
        Timekeeper time,
        Executor callbacks,
        MemoryDomain memory,
        LogSampler lost,
        LogSampler unsendable) {

    static TcpResources open() throws IOException {
        return new TcpResources(
                LoopGroup.open("emplace-tcp"),
                Timekeeper.system("emplace-tcp-timer"),
                CallbackThreads.daemons("emplace-tcp-callback"),
                new TcpMemory(),
                new LogSampler(),
                new LogSampler());
    }
}
