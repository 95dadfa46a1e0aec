// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.transport;

import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.emplace.reactor.RuntimeThreads;

/**
 * The threads on which a transport completes calls. What users hang on a call's completion runs there, so that it holds up neither a thread that
 * serves connections nor a timer, whatever it does.
 */
public final class CallbackThreads {

    private static final int IDLE_SECONDS = 1;

    private CallbackThreads() {}

    /** Daemon threads that start when they are needed, and end when they have had nothing to do for a second. */
    public static Executor daemons(String name) {
        return new ThreadPoolExecutor(
                0,
                Integer.MAX_VALUE,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                RuntimeThreads.named(name));
    }
}
