// SPDX-License-Identifier: Apache-2.0
package org.emplace.reactor;

import java.util.List;
import java.util.concurrent.Executor;

/** Runs the tasks that complete calls, and with them the application's dependent stages. */
@FunctionalInterface
public interface Callbacks extends Executor {

    /** Executes tasks that became ready together. The caller may change the list afterward. */
    default void executeAll(List<? extends Runnable> tasks) {
        tasks.forEach(this::execute);
    }
}
