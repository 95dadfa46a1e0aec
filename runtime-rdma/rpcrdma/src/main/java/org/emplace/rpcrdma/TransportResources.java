// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import org.emplace.rpc.transport.CallbackThreads;
import org.emplace.rpc.transport.Callbacks;
import org.emplace.rpc.transport.LogSampler;
import org.emplace.rpc.transport.Timekeeper;

/**
 * The threads and counts that all connections of the transport share.
 *
 * @param callbacks completes calls, so that the application's code does not run on a provider's threads
 * @param time clock and timers
 * @param lost counts connections that are closed because of their peers
 */
record TransportResources(Callbacks callbacks, Timekeeper time, LogSampler lost) {

    /** Creates resources whose daemon threads start when they are needed. */
    static TransportResources open() {
        return new TransportResources(
                CallbackThreads.daemons("emplace-rdma-callback"),
                Timekeeper.system("emplace-rdma-timer"),
                new LogSampler());
    }
}
