// SPDX-License-Identifier: Apache-2.0
package org.emplace.reactor;

import java.util.concurrent.ThreadFactory;

/**
 * Makes the threads of the runtime. They belong to the runtime, not to the caller who happens to need them first: they are daemons of the
 * top-level thread group, they have the runtime's class loader as their context class loader, and they inherit no thread locals. A
 * container that stops the application of that caller finds none of it in them.
 */
public final class RuntimeThreads {

    private RuntimeThreads() {}

    /** Makes daemon threads of that name. */
    public static ThreadFactory named(String name) {
        return task -> daemon(name, task);
    }

    /** A daemon thread, which is not started. */
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
