// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.transport;

import java.util.List;
import java.util.concurrent.Executor;

/** Runs the tasks that complete calls, and with them the application's dependent stages. */
@FunctionalInterface
public interface Callbacks extends Executor {

    /** A task that is told if it fails, for example for lack of stack: others depend on what it does. */
    interface Task extends Runnable {
        /** Called instead of {@link #run} if that could not be called, or if it has thrown. */
        void failed(Throwable cause);
    }

    /** A task that is repeated once if it fails. */
    static Task repeated(Runnable task) {
        return new Task() {
            @Override
            public void run() {
                task.run();
            }

            @Override
            public void failed(Throwable cause) {
                task.run();
            }
        };
    }

    /** Runs a task. Throws nothing. */
    static void run(Runnable task) {
        try {
            task.run();
        } catch (Throwable broken) {
            failed(task, broken);
        }
    }

    /** Tells a task that it has failed, and logs that. Throws nothing. */
    static void failed(Runnable task, Throwable cause) {
        try {
            if (task instanceof Task told) {
                told.failed(cause);
            }
            System.getLogger(Callbacks.class.getName())
                    .log(System.Logger.Level.ERROR, "a task at the completion of a call failed", cause);
        } catch (Throwable unlogged) {
            // Possibly for lack of memory. The thread must continue with other calls.
        }
    }

    /** Executes tasks that became ready together. The caller may change the list afterward. */
    default void executeAll(List<? extends Runnable> tasks) {
        tasks.forEach(this::execute);
    }
}
