// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.state;

import java.time.Duration;

/**
 * How much a server remembers, and for how long. A state is an open or the locks of one lock owner under an open. An owner's name has at most 1,024
 * bytes, so the numbers bound the memory too.
 *
 * @param lease how long a client may be silent before others may have what it holds
 * @param clients the most client IDs
 * @param clientsPerAddress the most client IDs of one address
 * @param sessionsPerClient the most sessions of a client
 * @param connectionsPerSession the most connections bound to a session
 * @param states the most states
 * @param statesPerClient the most states of a client
 * @param locks the most ranges that are locked
 * @param locksPerClient the most ranges that a client has locked
 * @param cachedBytes the most bytes of replies that all sessions together may have to keep
 * @param fore the most of each attribute that a fore channel gets
 * @param back the most of each attribute that a back channel gets
 */
public record StateLimits(
        Duration lease,
        int clients,
        int clientsPerAddress,
        int sessionsPerClient,
        int connectionsPerSession,
        int states,
        int statesPerClient,
        int locks,
        int locksPerClient,
        long cachedBytes,
        ChannelAttributes fore,
        ChannelAttributes back) {
    /** Enough for a few thousand busy clients. */
    public static final StateLimits STANDARD = new StateLimits(
            Duration.ofSeconds(90),
            4096,
            256,
            16,
            64,
            1 << 20,
            1 << 17,
            1 << 20,
            1 << 17,
            256 << 20,
            new ChannelAttributes((1 << 20) + 4096, (1 << 20) + 4096, 4096, 64, 64),
            new ChannelAttributes(1024, 1024, 0, 4, 16));

    /** The same with another lease. */
    public StateLimits withLease(Duration other) {
        return new StateLimits(
                other,
                clients,
                clientsPerAddress,
                sessionsPerClient,
                connectionsPerSession,
                states,
                statesPerClient,
                locks,
                locksPerClient,
                cachedBytes,
                fore,
                back);
    }
}
