// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import java.util.concurrent.Executor;
import org.emplace.rpc.transport.CallbackThreads;
import org.emplace.rpc.transport.Timekeeper;

/**
 * The threads of one transport.
 *
 * @param callbacks completes calls, so that user code does not run on a provider's threads
 * @param time the timer
 */
record TransportThreads(Executor callbacks, Timekeeper time) {

    /** Daemon threads that start when they are needed. */
    static TransportThreads daemons() {
        return new TransportThreads(
                CallbackThreads.daemons("emplace-rdma-callback"), Timekeeper.system("emplace-rdma-timer"));
    }
}
