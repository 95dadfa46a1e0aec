// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.tcp;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.emplace.rpc.MemoryDomain;
import org.emplace.rpc.transport.CallbackThreads;
import org.emplace.rpc.transport.Timekeeper;

/** What all connections of the transport share: threads, time, memory. Safe for use by several threads. */
final class TcpResources {
    private static final int MAX_LOOPS = 4;

    private final List<EventLoop> loops;
    private final AtomicInteger next = new AtomicInteger();
    private final Timekeeper time = Timekeeper.system("emplace-tcp-timer");
    private final Executor callbacks = CallbackThreads.daemons("emplace-tcp-callback");
    private final MemoryDomain memory = new TcpMemory();

    /** Starts the threads. */
    TcpResources() throws IOException {
        int count = Math.min(MAX_LOOPS, Runtime.getRuntime().availableProcessors());
        List<EventLoop> started = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            started.add(EventLoop.start("emplace-tcp-" + i));
        }
        this.loops = List.copyOf(started);
    }

    /** The loop for one more channel. */
    EventLoop nextLoop() {
        return loops.get(Math.floorMod(next.getAndIncrement(), loops.size()));
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
}
