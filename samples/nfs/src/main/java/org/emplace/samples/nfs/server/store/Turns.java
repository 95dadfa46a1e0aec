// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.emplace.samples.nfs.server.store.StoreException.Failure;
import org.jspecify.annotations.Nullable;

/**
 * Limits how many long operations run at a time. Peers whose operations wait take turns. So how long a peer waits does not depend on how many operations another one
 * has waiting. Safe for use by several threads.
 */
public final class Turns {
    private final int mostRunning;
    private final long longestWait;
    private final ReentrantLock lock = new ReentrantLock();

    /** The peers whose operations run or wait. The next one's turn is first. */
    private final Map<Object, Line> lines = new LinkedHashMap<>();

    private int running;

    /**
     * @param mostRunning the most operations that run at a time; positive
     * @param longestWait after which an operation is refused
     */
    public Turns(int mostRunning, Duration longestWait) {
        this.mostRunning = mostRunning;
        this.longestWait = longestWait.toNanos();
    }

    private static final class Line {
        private final Deque<Turn> waiting = new ArrayDeque<>();
        private int running;
    }

    /** The turn of an operation. It ends when this is closed. */
    public final class Turn implements AutoCloseable {
        private final Object peer;
        private final Condition changed = lock.newCondition();
        private boolean begun;

        private Turn(Object peer) {
            this.peer = peer;
        }

        @Override
        public void close() {
            lock.lock();
            try {
                end(this);
            } finally {
                lock.unlock();
            }
        }
    }

    /**
     * Waits for the turn of an operation.
     *
     * @param peer equal for all operations that count together
     * @throws StoreException of JUKEBOX if others take too long
     */
    public Turn take(Object peer) throws StoreException {
        lock.lock();
        try {
            Turn turn = new Turn(peer);
            lines.computeIfAbsent(peer, ignored -> new Line()).waiting.add(turn);
            begin();
            boolean begun = false;
            try {
                long left = longestWait;
                while (!turn.begun && left > 0) {
                    left = turn.changed.awaitNanos(left);
                }
                begun = turn.begun;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                if (!begun) {
                    end(turn);
                }
            }
            if (!begun) {
                throw new StoreException(Failure.JUKEBOX, "other long operations are in progress");
            }
            return turn;
        } finally {
            lock.unlock();
        }
    }

    /** Begins waiting operations as long as there is room. */
    private void begin() {
        while (running < mostRunning) {
            Object next = nextPeer();
            if (next == null) {
                return;
            }
            Line line = Objects.requireNonNull(lines.remove(next));
            lines.put(next, line);
            Turn turn = line.waiting.remove();
            turn.begun = true;
            line.running++;
            running++;
            turn.changed.signal();
        }
    }

    private @Nullable Object nextPeer() {
        for (Map.Entry<Object, Line> each : lines.entrySet()) {
            if (!each.getValue().waiting.isEmpty()) {
                return each.getKey();
            }
        }
        return null;
    }

    private void end(Turn turn) {
        Line line = lines.get(turn.peer);
        if (line == null) {
            return;
        }
        if (turn.begun) {
            turn.begun = false;
            line.running--;
            running--;
        } else {
            line.waiting.remove(turn);
        }
        if (line.running == 0 && line.waiting.isEmpty()) {
            lines.remove(turn.peer);
        }
        begin();
    }
}
