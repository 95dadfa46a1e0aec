// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.tcp;

import java.io.IOException;
import java.util.concurrent.Executor;
import org.emplace.reactor.EventLoop;
import org.emplace.reactor.LoopGroup;
import org.emplace.rpc.MemoryDomain;
import org.emplace.rpc.transport.CallbackThreads;
import org.emplace.rpc.transport.LogSampler;
import org.emplace.rpc.transport.Timekeeper;

/** What all connections of the transport share: threads, time, memory, what is logged of them. Safe for use by several threads. */
final class TcpResources {
    private final LoopGroup loops;
    private final Timekeeper time = Timekeeper.system("emplace-tcp-timer");
    private final Executor callbacks = CallbackThreads.daemons("emplace-tcp-callback");
    private final MemoryDomain memory = new TcpMemory();
    private final LogSampler lost = new LogSampler();
    private final LogSampler unsendable = new LogSampler();

    /** Threads start when they are needed. */
    TcpResources() throws IOException {
        loops = LoopGroup.open("emplace-tcp");
    }

    /** The loop for one more channel. */
    EventLoop nextLoop() {
        return loops.next();
    }

    Timekeeper time() {
        return time;
    }

    /** Runs what may reach user code. */
    Executor callbacks() {
        return callbacks;
    }

    MemoryDomain memory() {
        return memory;
    }

    /** Counts the connections that end by a fault, mostly the peer's. */
    LogSampler lost() {
        return lost;
    }

    /** Counts the replies that cannot be sent. */
    LogSampler unsendable() {
        return unsendable;
    }
}
