// SPDX-License-Identifier: Apache-2.0
package org.emplace.reactor;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Bounds the work that a loop does in one round for each {@linkplain Peer peer}, so that the connections of one peer, however many,
 * delay those of another by little. What exceeds the bound waits for the next rounds, in order. Used on the loop.
 */
public final class FairShare {
    /** How much is done for a peer in one round, in bytes. */
    public static final int ROUND = 256 * 1024;

    private final Map<Peer, Turn> turns = new LinkedHashMap<>();
    private int waiting;

    private static final class Turn {
        private final Deque<Runnable> line = new ArrayDeque<>(1);
        private int spent;
    }

    FairShare() {}

    /** Whether more may be done for a peer in this round. */
    public boolean isLeft(Peer peer) {
        Turn turn = turns.get(peer);
        return turn == null || turn.spent < ROUND;
    }

    /** Counts work that was done for a peer, in bytes. */
    public void spend(Peer peer, int bytes) {
        Turn turn = turns.computeIfAbsent(peer, first -> new Turn());
        turn.spent += Math.min(ROUND - turn.spent, bytes);
    }

    /** Runs a task in one of the next rounds, after the earlier ones of the same peer. */
    public void later(Peer peer, Runnable task) {
        turns.computeIfAbsent(peer, first -> new Turn()).line.add(task);
        waiting++;
    }

    /** Whether tasks wait, so that the loop must not sleep. */
    boolean isWaiting() {
        return waiting > 0;
    }

    /** Begins a round: runs waiting tasks, of each peer only while something is left. */
    void nextRound(Consumer<Runnable> guarded) {
        // A peer is forgotten after a round without work: one that makes a call in each round needs no new objects for them.
        for (Iterator<Turn> all = turns.values().iterator(); all.hasNext(); ) {
            Turn turn = all.next();
            if (turn.spent == 0 && turn.line.isEmpty()) {
                all.remove();
            }
            turn.spent = 0;
        }
        if (waiting == 0) {
            return;
        }
        for (Turn turn : turns.values().toArray(new Turn[0])) {
            for (int left = turn.line.size(); left > 0 && turn.spent < ROUND; left--) {
                waiting--;
                guarded.accept(turn.line.remove());
            }
        }
    }
}
