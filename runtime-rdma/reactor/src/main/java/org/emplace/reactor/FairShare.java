// SPDX-License-Identifier: Apache-2.0
package org.emplace.reactor;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Bounds the work that a loop does in one round for each {@linkplain Peer peer}, so that the connections of one peer, however many,
 * delay those of another by little. While several peers have work, the bound is lower: a round is then shorter, which costs a look at the sockets more often. What exceeds the bound waits for the next rounds, in order. Connections use it through their {@link Turns}.
 * Used on the loop.
 */
public final class FairShare {
    /** How much is done for a peer in one round, in bytes, if only one peer has work. */
    public static final int ROUND = 256 * 1024;

    /** How much is done for a peer in one round while several have work. */
    static final int SHARED_ROUND = ROUND / 4;

    /** For how many rounds the lower bound holds after one in which several peers had work. */
    private static final int STAYS_SHARED = 64;

    /** What a turn of a connection counts, however little it does, in bytes: else a peer would have as many turns as connections. */
    public static final int TURN = ROUND / 256;

    /** How many rounds a peer without work is remembered at most. */
    private static final int FORGET = 256;

    private final Map<Peer, Spent> peers = new HashMap<>();
    /** The peers with waiting tasks, in the order of their turns. */
    private final FifoQueue<Spent> line = new FifoQueue<>();

    /** How many tasks wait. */
    private int waiting;

    private boolean runsTask;
    private int round;
    /** How many peers have had work in this round. */
    private int peersServed;

    /** The last round in which several peers had work. */
    private int lastShared = -STAYS_SHARED;

    /** How many channels have had work in this round, and in the one before. */
    private int served;

    private int servedBefore;

    /** What a peer has had of a round, and its tasks that wait. */
    private static final class Spent {
        private final FifoQueue<Runnable> tasks = new FifoQueue<>();
        private boolean isInLine;
        private int round;
        private int bytes;
    }

    /** The turns of one connection. There is no limit for a connection whose peer this side has chosen. */
    public static final class Turns {
        private final EventLoop loop;
        private final @Nullable Peer peer;

        /** @param peer whose connections share the rounds of the loop; null for no limit */
        public Turns(EventLoop loop, @Nullable Peer peer) {
            this.loop = loop;
            this.peer = peer;
        }

        /** Whether the peer has a share of each round, and no more if others wait. */
        public boolean areLimited() {
            return peer != null;
        }

        /** Whether a turn ends with the peer's share of the round, because others wait. */
        public boolean areShort() {
            return peer != null && loop.fairShare().isCrowded();
        }

        /** Whether the peer has something left of its share of the round. */
        public boolean isLeft() {
            return peer == null || loop.fairShare().isLeft(peer);
        }

        /** Whether work must wait for another round: others wait, and the peer has used up its share. */
        public boolean areOver() {
            return areShort() && !isLeft();
        }

        /** The most to do in one turn, in bytes. */
        public int most() {
            return areShort() ? loop.fairShare().most() : Integer.MAX_VALUE;
        }

        /** Counts work that was done, in bytes. */
        public void spend(int bytes) {
            if (peer != null) {
                loop.fairShare().spend(peer, bytes);
            }
        }

        /**
         * One kind of the connection's work that can wait for a turn.
         *
         * @param next does this work in one of the next rounds
         */
        public Waiting waiting(Runnable next) {
            return new Waiting(next);
        }

        /** A place in line, for one kind of the connection's work. */
        public final class Waiting {
            private final Runnable turn;
            private boolean isInLine;

            private Waiting(Runnable next) {
                turn = () -> {
                    isInLine = false;
                    next.run();
                };
            }

            /** Whether this work waits for its turn. */
            public boolean isInLine() {
                return isInLine;
            }

            /** Makes this work wait for a later round, so that others have their turn. No effect if it waits already, or without a limit. */
            public void join() {
                if (peer != null && !isInLine) {
                    isInLine = true;
                    loop.fairShare().later(peer, turn);
                    loop.recheck();
                }
            }
        }
    }

    FairShare() {}

    /**
     * Whether several channels have work in this round or had in the last, or tasks wait for their peers' turns, in addition to the one that runs. If not,
     * nobody gains from a turn that ends before its peer's share of the round does.
     */
    boolean isCrowded() {
        return Math.max(served, servedBefore) > (runsTask ? 0 : 1) || isWaiting();
    }

    /** Counts a channel that has work in this round. Called before the work is done. */
    void countServed() {
        served++;
    }

    /** Whether more may be done for a peer in this round. */
    boolean isLeft(Peer peer) {
        Spent spent = peers.get(peer);
        return spent == null || inRound(spent) < most();
    }

    /** How much may be done for a peer in this round, in bytes. */
    int most() {
        return round - lastShared < STAYS_SHARED ? SHARED_ROUND : ROUND;
    }

    /** Counts work that was done for a peer, in bytes. */
    void spend(Peer peer, int bytes) {
        spend(spentBy(peer), bytes);
    }

    private void spend(Spent spent, int bytes) {
        int before = inRound(spent);
        spent.bytes = before + Math.min(ROUND - before, bytes);
        peersServed += before == 0 && bytes > 0 ? 1 : 0;
        lastShared = peersServed > 1 ? round : lastShared;
    }

    /** Runs a task in one of the next rounds, after the earlier ones of the same peer. It counts as a {@link #TURN}. */
    void later(Peer peer, Runnable task) {
        Spent spent = spentBy(peer);
        if (!spent.isInLine) {
            line.add(spent);
            spent.isInLine = true;
        }
        spent.tasks.add(task);
        waiting++;
    }

    private Spent spentBy(Peer peer) {
        return peers.computeIfAbsent(peer, first -> new Spent());
    }

    private int inRound(Spent spent) {
        if (spent.round != round) {
            spent.round = round;
            spent.bytes = 0;
        }
        return spent.bytes;
    }

    /** Whether tasks wait, so that the loop must not sleep. */
    boolean isWaiting() {
        return waiting > 0;
    }

    /** Begins a round: runs waiting tasks, of each peer only while something is left. */
    void nextRound(Consumer<Runnable> guarded) {
        round++;
        peersServed = 0;
        if (round % FORGET == 0) {
            peers.values().removeIf(spent -> !spent.isInLine && spent.round != round - 1);
        }
        for (int left = line.size(); left > 0; left--) {
            Spent spent = line.element();
            try {
                for (int tasks = spent.tasks.size(); tasks > 0 && inRound(spent) < most(); tasks--) {
                    run(spent, guarded);
                }
            } finally {
                // Also after an Error: a peer that is not in the line while its tasks wait would never be served again.
                line.remove();
                spent.isInLine = !spent.tasks.isEmpty() && line.add(spent);
            }
        }
        servedBefore = served;
        served = 0;
    }

    /** Runs the next task, which may use what is left of the peer's share. Counts a turn if the task itself counts less. */
    private void run(Spent spent, Consumer<Runnable> guarded) {
        int before = inRound(spent);
        waiting--;
        runsTask = true;
        try {
            guarded.accept(spent.tasks.remove());
        } finally {
            runsTask = false;
            spend(spent, Math.max(0, before + TURN - spent.bytes));
        }
    }
}
