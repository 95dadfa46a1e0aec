// SPDX-License-Identifier: Apache-2.0
package org.emplace.reactor;

import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Bounds the work that a loop does in one round for each address, so that the connections of one address, however many,
 * delay those of another by little. What exceeds the bound waits for the next rounds, in order. Used on the loop.
 */
public final class FairShare {
    /** How much is done for an address in one round, in bytes. */
    public static final int ROUND = 256 * 1024;

    private final Map<InetAddress, Peer> peers = new LinkedHashMap<>();
    private int waiting;

    private static final class Peer {
        private final Deque<Runnable> line = new ArrayDeque<>(1);
        private int spent;
    }

    FairShare() {}

    /** Whether more may be done for an address in this round. */
    public boolean isLeft(InetAddress address) {
        Peer peer = peers.get(address);
        return peer == null || peer.spent < ROUND;
    }

    /** Counts work that was done for an address, in bytes. */
    public void spend(InetAddress address, int bytes) {
        Peer peer = peers.computeIfAbsent(address, first -> new Peer());
        peer.spent = Math.min(ROUND, peer.spent + bytes);
    }

    /** Runs a task in one of the next rounds, after the earlier ones of the same address. */
    public void later(InetAddress address, Runnable task) {
        peers.computeIfAbsent(address, first -> new Peer()).line.add(task);
        waiting++;
    }

    /** Whether tasks wait, so that the loop must not sleep. */
    boolean isWaiting() {
        return waiting > 0;
    }

    /** Begins a round: runs waiting tasks, of each address only while something is left. */
    void nextRound(Consumer<Runnable> guarded) {
        peers.values().removeIf(peer -> peer.line.isEmpty());
        if (waiting == 0) {
            return;
        }
        peers.values().forEach(peer -> peer.spent = 0);
        for (Peer peer : peers.values().toArray(new Peer[0])) {
            for (int left = peer.line.size(); left > 0 && peer.spent < ROUND; left--) {
                // If this throws, the task stays for the next round.
                guarded.accept(peer.line.element());
                peer.line.remove();
                waiting--;
            }
        }
    }
}
