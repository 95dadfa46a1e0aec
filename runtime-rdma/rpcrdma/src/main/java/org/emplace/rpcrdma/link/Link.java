// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.link;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.emplace.rdma.QueuePair;
import org.emplace.reactor.LogSampler;
import org.emplace.reactor.Timekeeper;
import org.emplace.reactor.Workers;
import org.emplace.rpc.client.PendingCalls.ReplyThreads;
import org.emplace.rpc.limits.MemoryShares;
import org.emplace.rpcrdma.header.ConnectionPrivateData.InlineThresholds;
import org.emplace.rpcrdma.memory.OutgoingMessages;
import org.emplace.rpcrdma.memory.RdmaMemory;

/**
 * An established connection, as its requester and its responder share it.
 *
 * @param name local and remote address, for messages
 * @param queuePair the connection
 * @param sends the send queue
 * @param receives the Receives
 * @param memory the registered memory
 * @param messages the outgoing messages
 * @param share the peer's share of pooled memory
 * @param thresholds the inline thresholds
 * @param peerTakesInvalidation whether the peer permits Sends of this side to invalidate its STags
 * @param callbacks runs code that may call the application
 * @param time clock and timers
 * @param transferTimeout how long an RDMA operation may take before the connection is closed
 * @param lost counts connections that are closed because of their peers
 * @param unsendable counts replies that cannot be sent
 */
public record Link(
        String name,
        QueuePair queuePair,
        SendQueue sends,
        ConnectionReceives receives,
        RdmaMemory memory,
        OutgoingMessages messages,
        MemoryShares.Share share,
        InlineThresholds thresholds,
        boolean peerTakesInvalidation,
        Workers callbacks,
        Timekeeper time,
        Duration transferTimeout,
        LogSampler lost,
        LogSampler unsendable)
        implements ReplyThreads {
    private static final System.Logger LOG = System.getLogger(Link.class.getName());

    /**
     * Closes the connection, because there is no memory. The peer can then send its calls again.
     *
     * @param purpose of the memory, for the log
     */
    public void endForLackOfMemory(String purpose, Throwable lack) {
        try {
            lost.event(count -> LOG.log(
                    System.Logger.Level.WARNING,
                    "{0}: closed, because there is no memory for {1}: {2}; such connections so far: {3}",
                    name,
                    purpose,
                    String.valueOf(lack.getMessage()),
                    count));
        } finally {
            queuePair.close();
        }
    }

    @Override
    public void pollUntil(BooleanSupplier done) {
        queuePair.pollUntil(done);
    }

    @Override
    public void wakePoller() {
        queuePair.wakePoller();
    }

    /** The name of a call over this connection, for messages. */
    public String call(int xid) {
        return "%s xid 0x%08x".formatted(name, xid);
    }
}
