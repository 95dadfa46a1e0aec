// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.jni;

/**
 * One wait for everything that a thread serves: connection events, completion channels, device events, and wake-ups by other threads (an
 * epoll set with an eventfd).
 */
public final class Poller {
    private Poller() {}

    /** Creates a poller. */
    public static native long create() throws NativeException;

    /** Ends the waits on it, and frees it. The channels in it must have been destroyed. */
    public static native void destroy(long poller) throws NativeException;

    /** Makes the present or the next {@link #await} return; wakes add up to one. */
    public static native void wake(long poller) throws NativeException;

    /**
     * Waits until something is ready or the poller is woken. What is ready stays so, and ends every wait at once, until its events are
     * taken; some may be left for the next wait. A signal may end a wait early.
     *
     * @param timeoutMillis 0 looks without waiting; never negative
     * @param ready filled with the handles of ready channels: {@link Librdmacm} event channels, {@link Libibverbs} completion channels, and
     *     devices with an asynchronous event
     * @return how many of them; 0 after a wake-up, a signal, or at the end of the time
     */
    public static native int await(long poller, int timeoutMillis, long[] ready) throws NativeException;
}
