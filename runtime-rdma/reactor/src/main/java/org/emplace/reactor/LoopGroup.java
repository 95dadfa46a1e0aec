// SPDX-License-Identifier: Apache-2.0
package org.emplace.reactor;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** The event loops that share the channels of one transport. Safe for use by several threads. */
public final class LoopGroup {
    private final List<SocketHandler> handlers;
    private final AtomicInteger next = new AtomicInteger();

    private LoopGroup(List<SocketHandler> handlers) {
        this.handlers = List.copyOf(handlers);
    }

    /**
     * Opens {@code count} loops. Their threads start when they are needed.
     *
     * @param name of the threads, followed by a number
     * @throws IOException if the system cannot open this many selectors
     */
    public static LoopGroup open(String name, int count) throws IOException {
        List<SocketHandler> handlers = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                handlers.add(new SocketHandler(name + "-" + i));
            }
        } catch (IOException e) {
            handlers.forEach(SocketHandler::close);
            throw e;
        }
        return new LoopGroup(handlers);
    }

    /** The handler, and so the loop, for the next channel. */
    public SocketHandler next() {
        return handlers.get(Math.floorMod(next.getAndIncrement(), handlers.size()));
    }

    /**
     * Shuts down all loops, and waits until they have ended unless called on one of them.
     *
     * @param limit the time after which connections that have not ended are closed
     */
    public void shutDown(Duration limit) {
        List<EventLoop> loops = handlers.stream().map(SocketHandler::loop).toList();
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
