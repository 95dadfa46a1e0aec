// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.transport;

import java.util.List;
import java.util.concurrent.Executor;

/** Runs what completes calls, and with it the application's dependent stages. */
@FunctionalInterface
public interface Callbacks extends Executor {

    /** Executes tasks that have become ready together. The list may change afterward. */
    default void executeAll(List<? extends Runnable> tasks) {
        tasks.forEach(this::execute);
    }
}
