// SPDX-License-Identifier: Apache-2.0
package org.emplace.reactor;

import java.lang.System.Logger.Level;

/**
 * The steps by which something ends, a connection for example. All of them run, whatever fails. They are made with it,
 * so that nothing must be allocated when memory is lacking. Safe for use by several threads.
 */
public final class Ending {
    private static final System.Logger LOG = System.getLogger(Ending.class.getName());

    /** What fails for lack of memory or stack, or because of another error at that moment, may succeed the next time. */
    private static final int TRIES = 2;

    private final Runnable[] steps;
    private int next;
    private int tried;

    /** @param steps run in this order, once each, and once more if one throws: so each can be repeated */
    public Ending(Runnable... steps) {
        this.steps = steps.clone();
    }

    /** Runs the steps. Throws nothing but what the call of this method itself may; then it can be called again. */
    public synchronized void run() {
        while (next < steps.length) {
            try {
                tried++;
                steps[next].run();
                tried = 0;
                next++;
            } catch (Throwable broken) {
                if (tried >= TRIES) {
                    tried = 0;
                    next++;
                }
                log(broken);
            }
        }
    }

    private static void log(Throwable broken) {
        try {
            LOG.log(Level.ERROR, "a step at the end of a connection failed", broken);
        } catch (Throwable unlogged) {
            // Perhaps for lack of memory. The other steps must follow.
        }
    }
}
