// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.time.Duration;

/**
 * The load of a server at one moment; see {@link org.emplace.RpcServer#load}. Immutable: each {@code with} returns
 * another object.
 */
public final class ServerLoad {
    /** The load of a server that has had no connections. */
    public static final ServerLoad NONE = new ServerLoad(0, 0, 0, 0, Duration.ZERO, 0, 0);

    private final int connections;
    private final long connectionsRejected;
    private final int callsRunning;
    private final int callsWaiting;
    private final Duration longestWait;
    private final int repliesKept;
    private final long replyBytesKept;

    private ServerLoad(
            int connections,
            long connectionsRejected,
            int callsRunning,
            int callsWaiting,
            Duration longestWait,
            int repliesKept,
            long replyBytesKept) {
        this.connections = connections;
        this.connectionsRejected = connectionsRejected;
        this.callsRunning = callsRunning;
        this.callsWaiting = callsWaiting;
        this.longestWait = longestWait;
        this.repliesKept = repliesKept;
        this.replyBytesKept = replyBytesKept;
    }

    /** Connections that are open or being set up. */
    public int connections() {
        return connections;
    }

    /** Connections rejected since the server started, because there were too many. */
    public long connectionsRejected() {
        return connectionsRejected;
    }

    /** See {@link #connections} and {@link #connectionsRejected}. */
    public ServerLoad withConnections(int open, long rejected) {
        return new ServerLoad(open, rejected, callsRunning, callsWaiting, longestWait, repliesKept, replyBytesKept);
    }

    /** Calls whose handlers run. */
    public int callsRunning() {
        return callsRunning;
    }

    /**
     * Calls that wait for a thread. Calls beyond the credits of their connections are not counted, because they are
     * still with their clients.
     */
    public int callsWaiting() {
        return callsWaiting;
    }

    /** For how long the oldest of the waiting calls has waited; zero if none waits. */
    public Duration longestWait() {
        return longestWait;
    }

    /** See {@link #callsRunning}, {@link #callsWaiting} and {@link #longestWait}. */
    public ServerLoad withCalls(int running, int waiting, Duration longest) {
        return new ServerLoad(connections, connectionsRejected, running, waiting, longest, repliesKept, replyBytesKept);
    }

    /** Replies in the duplicate request cache. */
    public int repliesKept() {
        return repliesKept;
    }

    /** The bytes of these replies. */
    public long replyBytesKept() {
        return replyBytesKept;
    }

    /** See {@link #repliesKept} and {@link #replyBytesKept}. */
    public ServerLoad withReplies(int kept, long bytes) {
        return new ServerLoad(connections, connectionsRejected, callsRunning, callsWaiting, longestWait, kept, bytes);
    }
}
