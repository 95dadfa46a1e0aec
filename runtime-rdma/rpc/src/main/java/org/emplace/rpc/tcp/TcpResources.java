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
 * What all connections of the transport share. Its threads start when they are needed.
 *
 * @param callbacks runs what may reach user code
 * @param lost counts the connections that end by a fault, mostly the peer's
 * @param unsendable counts the replies that cannot be sent
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
