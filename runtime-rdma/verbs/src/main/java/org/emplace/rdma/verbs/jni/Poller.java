// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.jni;

/**
 * Waits for everything that a thread serves: connection events, completion channels, device events, and wake-ups by other threads. An epoll set with
 * an eventfd.
 */
public final class Poller {
    private Poller() {}

    /** Creates a poller. */
    public static native long create() throws NativeException;

    /** Ends the waits on a poller and frees it. The channels in it must have been destroyed. */
    public static native void destroy(long poller) throws NativeException;

    /** Makes the current or the next {@link #await} return. Several wake-ups before it count as one. */
    public static native void wake(long poller) throws NativeException;

    /**
     * Waits until a channel is ready or the poller is woken. A channel stays ready, and ends every wait at once, until its events are taken. Ready
     * channels that do not fit are left for the next wait. A signal may end a wait early.
     *
     * @param timeoutMillis 0 does not wait; never negative
     * @param ready filled with the handles of ready channels: {@link Librdmacm} event channels, {@link Libibverbs} completion channels, and
     *     devices with an asynchronous event
     * @return the number of handles; 0 after a wake-up, a signal or the timeout
     */
    public static native int await(long poller, int timeoutMillis, long[] ready) throws NativeException;
}
