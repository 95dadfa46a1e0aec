// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

/**
 * The load of a server at one moment; see {@link org.emplace.RpcServer#load}.
 *
 * @param connections connections that are open or being set up
 * @param connectionsRefused connections refused since the server started, because there were too many
 * @param callsRunning calls whose handlers run
 * @param callsWaiting calls that wait for a thread
 * @param repliesKept replies in the duplicate request cache
 * @param replyBytesKept the bytes of these replies
 */
public record ServerLoad(
        int connections,
        long connectionsRefused,
        int callsRunning,
        int callsWaiting,
        int repliesKept,
        long replyBytesKept) {}
