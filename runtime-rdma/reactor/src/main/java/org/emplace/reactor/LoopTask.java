// SPDX-License-Identifier: Apache-2.0
package org.emplace.reactor;

/**
 * A task whose owner is told if it fails, for example for lack of memory or stack. An {@link EventLoop} catches what its
 * tasks and timers throw; the owner of this task, a connection for example, then ends.
 */
public interface LoopTask extends Runnable {

    /** Called on the loop if {@link #run} could not be called or has thrown. Must not throw; if it does, it is called once more. */
    void failed(Throwable cause);
}
