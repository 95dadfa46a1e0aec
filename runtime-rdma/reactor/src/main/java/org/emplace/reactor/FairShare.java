// SPDX-License-Identifier: Apache-2.0
package org.emplace.reactor;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Bounds the work that a loop does in one round for each {@linkplain Peer peer}, so that the connections of one peer, however many,
 * delay those of another by little. What exceeds the bound waits for the next rounds, in order. Used on the loop.
 */
public final class FairShare {
    /** How much is done for a peer in one round, in bytes. */
    public static final int ROUND = 256 * 1024;

    /** What a turn of a connection counts, however little it does, in bytes: else a peer would have as many turns as connections. */
    public static final int TURN = ROUND / 256;

    /** How many rounds a peer without work is remembered at most. */
    private static final int FORGET = 256;

    private final Map<Peer, Turn> turns = new HashMap<>();
    /** The peers with waiting tasks, in the order of their turns. */
    private final FifoQueue<Turn> line = new FifoQueue<>();

    /** How many tasks wait. */
    private int waiting;

    private boolean runsTask;
    private int round;
    /** How many channels have had work in this round, and in the one before. */
    private int served;

    private int servedBefore;

    /** What a peer has had of a round, and its tasks that wait. */
    private static final class Turn {
        private final FifoQueue<Runnable> tasks = new FifoQueue<>();
        private boolean isInLine;
        private int round;
        private int spent;
    }

    FairShare() {}

    /**
     * Whether several channels have work in this round or had in the last, or tasks wait for their peers' turns, in addition to the one that runs. If not,
     * nobody gains from a turn that ends before its peer's share of the round does.
     */
    public boolean isCrowded() {
        return Math.max(served, servedBefore) > (runsTask ? 0 : 1) || isWaiting();
    }

    /** Counts a channel that has work in this round. Called before the work is done. */
    public void countServed() {
        served++;
    }

    /** Whether more may be done for a peer in this round. */
    public boolean isLeft(Peer peer) {
        Turn turn = turns.get(peer);
        return turn == null || spent(turn) < ROUND;
    }

    /** Counts work that was done for a peer, in bytes. */
    public void spend(Peer peer, int bytes) {
        spend(turn(peer), bytes);
    }

    private void spend(Turn turn, int bytes) {
        int before = spent(turn);
        turn.spent = before + Math.min(ROUND - before, bytes);
    }

    /** Runs a task in one of the next rounds, after the earlier ones of the same peer. It counts as a {@link #TURN}. */
    public void later(Peer peer, Runnable task) {
        Turn turn = turn(peer);
        if (!turn.isInLine) {
            line.add(turn);
            turn.isInLine = true;
        }
        turn.tasks.add(task);
        waiting++;
    }

    private Turn turn(Peer peer) {
        return turns.computeIfAbsent(peer, first -> new Turn());
    }

    private int spent(Turn turn) {
        if (turn.round != round) {
            turn.round = round;
            turn.spent = 0;
        }
        return turn.spent;
    }

    /** Whether tasks wait, so that the loop must not sleep. */
    boolean isWaiting() {
        return waiting > 0;
    }

    /** Begins a round: runs waiting tasks, of each peer only while something is left. */
    void nextRound(Consumer<Runnable> guarded) {
        round++;
        if (round % FORGET == 0) {
            turns.values().removeIf(turn -> !turn.isInLine && turn.round != round - 1);
        }
        for (int peers = line.size(); peers > 0; peers--) {
            Turn turn = line.element();
            try {
                for (int left = turn.tasks.size(); left > 0 && spent(turn) < ROUND; left--) {
                    run(turn, guarded);
                }
            } finally {
                // Also after an Error: a peer that is not in the line while its tasks wait would never be served again.
                line.remove();
                turn.isInLine = !turn.tasks.isEmpty() && line.add(turn);
            }
        }
        servedBefore = served;
        served = 0;
    }

    /** Runs the next task, which may use what is left of the peer's share. Counts a turn if the task itself counts less. */
    private void run(Turn turn, Consumer<Runnable> guarded) {
        int before = spent(turn);
        waiting--;
        runsTask = true;
        try {
            guarded.accept(turn.tasks.remove());
        } finally {
            runsTask = false;
            spend(turn, Math.max(0, before + TURN - turn.spent));
        }
    }
}
