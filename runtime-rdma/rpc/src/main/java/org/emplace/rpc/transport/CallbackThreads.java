// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.transport;

import java.util.concurrent.Executor;
import java.util.concurrent.Executors;

/**
 * The threads on which a transport completes calls. What users hang on a call's completion runs there, so that it holds up neither a thread that
 * serves connections nor a timer, whatever it does.
 */
public final class CallbackThreads {

    private CallbackThreads() {}

    /** Daemon threads that start when they are needed, and end when they have had nothing to do for a while. */
    public static Executor daemons(String name) {
        return Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        });
    }
}
