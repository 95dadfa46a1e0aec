// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.state;

import java.time.Duration;

/**
 * How much a server remembers, and for how long. A state is an open, the locks of one lock owner under an open, or a delegation. The name
 * of an owner has at most 1,024 bytes, so the numbers bound the memory too.
 *
 * @param lease how long a client may be silent before others may have what it holds
 * @param inAll what all clients may have
 * @param perAddress what the clients of an address may have
 * @param sessionsPerClient the most sessions of a client
 * @param connectionsPerSession the most connections bound to a session; the least recently used one is unbound for another
 * @param statesPerClient the most states of a client
 * @param locksPerClient the most ranges that a client has locked
 * @param fore the most of each attribute that a fore channel gets
 * @param back the most of each attribute that a back channel gets
 */
public record StateLimits(
        Duration lease,
        Bounds inAll,
        Bounds perAddress,
        int sessionsPerClient,
        int connectionsPerSession,
        int statesPerClient,
        int locksPerClient,
        ChannelAttributes fore,
        ChannelAttributes back) {
    /** Enough for a few thousand busy clients. */
    public static final StateLimits STANDARD = new StateLimits(
            Duration.ofSeconds(90),
            new Bounds(4096, 1 << 17, 1 << 20, 256 << 20),
            new Bounds(1024, 1 << 15, 1 << 18, 64 << 20),
            16,
            64,
            1 << 15,
            1 << 17,
            new ChannelAttributes((1 << 20) + 4096, (1 << 20) + 4096, 4096, 64, 64),
            new ChannelAttributes(1024, 1024, 0, 4, 16));

    /**
     * What several clients may have together.
     *
     * @param clients the most client IDs
     * @param states the most states
     * @param locks the most ranges that are locked
     * @param slotBytes the most bytes of sessions' slots and of the replies that they have to keep
     */
    public record Bounds(int clients, int states, int locks, long slotBytes) {}

    /** The same with another lease. */
    public StateLimits withLease(Duration other) {
        return new StateLimits(
                other,
                inAll,
                perAddress,
                sessionsPerClient,
                connectionsPerSession,
                statesPerClient,
                locksPerClient,
                fore,
                back);
    }
}
