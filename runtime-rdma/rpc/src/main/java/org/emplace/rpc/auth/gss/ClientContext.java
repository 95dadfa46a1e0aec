// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.auth.gss;

import java.util.concurrent.atomic.AtomicLong;
import org.emplace.xdr.XdrOpaque;

/**
 * A context that a client has established with a server. Safe for use by several threads.
 *
 * @param handle what the server calls it
 * @param window the calls that may be outstanding
 * @param next the next sequence number; the first is 1, because some servers do not accept 0
 */
record ClientContext(SecurityContext security, XdrOpaque handle, ClientWindow window, AtomicLong next) {
    /** @param window the size of the server's sequence window, which is not trusted to be positive */
    ClientContext(SecurityContext security, XdrOpaque handle, long window) {
        this(
                security,
                handle,
                new ClientWindow((int) Math.max(1, Math.min(window, Integer.MAX_VALUE))),
                new AtomicLong(1));
    }

    /** The next sequence number. Those of a context are all different, and increase in the order in which calls are encoded. */
    long nextSequence() {
        return next.getAndIncrement();
    }
}
