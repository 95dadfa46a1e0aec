// SPDX-License-Identifier: Apache-2.0
package org.emplace.reactor;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** The event loops that share the channels of one transport. Safe for use by several threads. */
public final class LoopGroup {
    private final List<EventLoop> loops;
    private final AtomicInteger next = new AtomicInteger();

    private LoopGroup(List<EventLoop> loops) {
        this.loops = List.copyOf(loops);
    }

    /**
     * Opens {@code count} loops. Their threads start when they are needed.
     *
     * @param name of the threads, followed by a number
     * @throws IOException if the system cannot open this many selectors
     */
    public static LoopGroup open(String name, int count) throws IOException {
        List<EventLoop> loops = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                loops.add(new EventLoop(name + "-" + i));
            }
        } catch (IOException e) {
            loops.forEach(EventLoop::abandon);
            throw e;
        }
        return new LoopGroup(loops);
    }

    /** The loop for the next channel. */
    public EventLoop next() {
        return loops.get(Math.floorMod(next.getAndIncrement(), loops.size()));
    }

    /**
     * Shuts down all loops, and waits until they have ended unless called on one of them.
     *
     * @param limit the time after which connections that have not ended are closed
     */
    public void shutDown(Duration limit) {
        loops.forEach(loop -> loop.shutDown(limit));
        if (loops.stream().anyMatch(EventLoop::isCurrent)) {
            return;
        }
        try {
            for (EventLoop loop : loops) {
                loop.await(limit.plusSeconds(1));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
