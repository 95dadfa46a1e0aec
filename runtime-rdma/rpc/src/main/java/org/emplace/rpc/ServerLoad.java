// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.time.Duration;

/**
 * The load of a server at one moment; see {@link org.emplace.RpcServer#load}.
 *
 * @param connections connections that are open or being set up
 * @param connectionsRejected connections rejected since the server started, because there were too many
 * @param callsRunning calls whose handlers run
 * @param callsWaiting calls that wait for a thread. Calls beyond the credits of their connections are not counted,
 *     because they are still with their clients
 * @param longestWait for how long the oldest of the waiting calls has waited; zero if none waits
 * @param repliesKept replies in the duplicate request cache
 * @param replyBytesKept the bytes of these replies
 */
public record ServerLoad(
        int connections,
        long connectionsRejected,
        int callsRunning,
        int callsWaiting,
        Duration longestWait,
        int repliesKept,
        long replyBytesKept) {}
