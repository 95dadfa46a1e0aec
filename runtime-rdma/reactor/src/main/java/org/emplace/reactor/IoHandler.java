// SPDX-License-Identifier: Apache-2.0
package org.emplace.reactor;

/**
 * What an {@link EventLoop} waits for and serves: sockets, or a device's completion queues. Called by the thread that leads the loop, on the loop
 * unless a method says otherwise.
 */
public interface IoHandler {
    /**
     * Waits until something is ready, and serves all that is. The calling thread is on the loop only if {@link #isPolling}; else it calls
     * {@link EventLoop#enter} when the wait is over, before it serves anything. Does not wait while the thread's interrupt status is set. If this
     * throws, the loop pauses and tries again: what is thrown while something is served must end that alone.
     *
     * @param millis the longest wait; 0 does not wait
     * @return how many sockets or queues were ready
     * @throws Exception if the system cannot wait
     */
    int await(int millis) throws Exception;

    /** On any thread: makes the current or the next {@link #await} return. */
    void wakeup();

    /** Whether there is something to poll, so that {@link #await} does not wait, whatever its time. */
    default boolean isPolling() {
        return false;
    }

    /** Whether nothing is registered or polled, so that the loop's thread may end. */
    boolean isIdle();

    /** How long the loop keeps a thread that is idle. */
    int idleMillis();

    /** A caller takes the lead, because it waits for something that is likely to be ready soon. */
    default void callerLeads() {}

    /** The longest time for which a caller leads in one go, unless an interrupt ends its wait. */
    int longestLeadMillis();

    /** The loop shuts down: ends what is registered, soon if not at once. The loop ends when this is {@linkplain #isIdle idle}. */
    default void shutDown() {}

    /** The loop has ended: ends at once what is still registered. */
    default void cutOff() {}

    /** After the end of the loop, and on any thread: frees what the handler waits with. No thread waits, and nobody calls {@link #wakeup} any more. */
    void close();
}
