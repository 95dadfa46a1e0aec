// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

/**
 * What a server has in hand at one moment; see {@link org.emplace.RpcServer#load}.
 *
 * @param connections that are open or being set up
 * @param connectionsRefused connections refused since the server started, because there were too many
 * @param callsRunning calls that have a thread
 * @param callsWaiting calls that wait for a thread
 * @param repliesKept replies kept for duplicate calls
 * @param replyBytesKept their bytes
 */
public record ServerLoad(
        int connections,
        long connectionsRefused,
        int callsRunning,
        int callsWaiting,
        int repliesKept,
        long replyBytesKept) {}
