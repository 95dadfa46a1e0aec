// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.link;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import org.emplace.rdma.QueuePair;
import org.emplace.rpc.transport.LogSampler;
import org.emplace.rpc.transport.MemoryShares;
import org.emplace.rpc.transport.ReplyThreads;
import org.emplace.rpc.transport.Timekeeper;
import org.emplace.rpcrdma.header.InlineThresholds;
import org.emplace.rpcrdma.memory.OutgoingMessages;
import org.emplace.rpcrdma.memory.RdmaMemory;

/**
 * What requester and responder of one established connection share.
 *
 * @param name the connection in messages: local and remote address
 * @param queuePair the connection
 * @param sends its send queue
 * @param receives its Receives
 * @param memory registers memory for it
 * @param messages what is sent over it
 * @param share the pooled memory that the peer's calls hold
 * @param thresholds its inline thresholds
 * @param peerTakesInvalidation whether the peer lets its STags be invalidated by our Sends
 * @param callbacks runs what may reach user code
 * @param time bounds what waits
 * @param transferTimeout how long to wait for the peer to let an RDMA operation end, before the connection is closed
 * @param lost counts the connections that are given up because of their peers
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
        Executor callbacks,
        Timekeeper time,
        Duration transferTimeout,
        LogSampler lost)
        implements ReplyThreads {

    @Override
    public void helpUntil(BooleanSupplier done) {
        queuePair.helpUntil(done);
    }

    @Override
    public void wakeHelper() {
        queuePair.wakeHelper();
    }

    /** A call over this connection, in messages. */
    public String call(int xid) {
        return "%s xid 0x%08x".formatted(name, xid);
    }
}
