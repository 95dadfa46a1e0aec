// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import java.util.concurrent.Executor;
import org.emplace.rpc.transport.CallbackThreads;
import org.emplace.rpc.transport.LogSampler;
import org.emplace.rpc.transport.Timekeeper;

/**
 * What all connections of one transport share.
 *
 * @param callbacks completes calls, so that user code does not run on a provider's threads
 * @param time the timer
 * @param lost counts the connections that are given up because of their peers
 */
record TransportResources(Executor callbacks, Timekeeper time, LogSampler lost) {

    /** With daemon threads that start when they are needed. */
    static TransportResources open() {
        return new TransportResources(
                CallbackThreads.daemons("emplace-rdma-callback"),
                Timekeeper.system("emplace-rdma-timer"),
                new LogSampler());
    }
}
