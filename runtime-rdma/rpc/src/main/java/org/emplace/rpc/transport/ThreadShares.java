// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.transport;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.emplace.rpc.RpcConnection;
import org.jspecify.annotations.Nullable;

/**
 * Which calls get a thread: no connection has more than its share of them, so that one whose calls are stuck leaves threads to others.
 * Safe for use by several threads.
 */
final class ThreadShares {
    private final int share;
    private final int limit;
    private final Map<RpcConnection, Share> shares = new HashMap<>();
    private int held;

    /**
     * Nothing is held yet.
     *
     * @param share calls of one connection to have threads at a time
     * @param limit calls to hold at most, with a thread or waiting for one
     */
    ThreadShares(int share, int limit) {
        this.share = share;
        this.limit = limit;
    }

    /** What becomes of a call. */
    enum Admission {
        RUNS,
        WAITS,
        REFUSED
    }

    /** Takes a call in; one that waits is given back by {@link #ended}. */
    synchronized Admission admit(RpcConnection connection, ServerExchange call) {
        if (held == limit) {
            return Admission.REFUSED;
        }
        held++;
        Share its = shares.computeIfAbsent(connection, first -> new Share());
        if (its.running == share) {
            its.waiting.add(call);
            return Admission.WAITS;
        }
        its.running++;
        return Admission.RUNS;
    }

    /** A call of the connection has left its thread. The one that runs in its place; null if none waits. */
    synchronized @Nullable ServerExchange ended(RpcConnection connection) {
        held--;
        Share its = shares.get(connection);
        if (its == null) {
            return null;
        }
        ServerExchange next = its.waiting.poll();
        if (next == null && --its.running == 0) {
            shares.remove(connection);
        }
        return next;
    }

    /** Takes out the calls that wait for their connection's share. */
    synchronized List<ServerExchange> takeWaiting() {
        List<ServerExchange> taken = new ArrayList<>();
        for (Share its : shares.values()) {
            taken.addAll(its.waiting);
            its.waiting.clear();
        }
        held -= taken.size();
        return taken;
    }

    private static final class Share {
        private final Deque<ServerExchange> waiting = new ArrayDeque<>();
        private int running;
    }
}
