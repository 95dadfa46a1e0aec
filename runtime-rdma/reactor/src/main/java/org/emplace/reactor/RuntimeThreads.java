// SPDX-License-Identifier: Apache-2.0
package org.emplace.reactor;

import java.util.concurrent.ThreadFactory;

/**
 * Creates the threads of the runtime. They are independent of the caller for which the runtime starts them: they are daemons of the top-level
 * thread group, their context class loader is that of the runtime, and they inherit no thread locals. So they do not keep a caller's
 * application alive that a container has stopped.
 */
public final class RuntimeThreads {

    private RuntimeThreads() {}

    /** A factory of daemon threads with this name. */
    public static ThreadFactory named(String name) {
        return task -> daemon(name, task);
    }

    /** Creates a daemon thread without starting it. */
    public static Thread daemon(String name, Runnable task) {
        Thread thread = new Thread(topLevelGroup(), task, name, 0, false);
        thread.setDaemon(true);
        thread.setContextClassLoader(RuntimeThreads.class.getClassLoader());
        return thread;
    }

    private static ThreadGroup topLevelGroup() {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        while (group.getParent() != null) {
            group = group.getParent();
        }
        return group;
    }
}
