// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.auth.gss;

import java.util.concurrent.atomic.AtomicLong;
import org.emplace.xdr.XdrOpaque;

/**
 * A context that a client has established with a server. Safe for use by several threads.
 *
 * @param handle what the server calls it
 * @param next the next sequence number; the first is 1, because some servers do not accept 0
 */
record ClientContext(SecurityContext security, XdrOpaque handle, AtomicLong next) {
    ClientContext(SecurityContext security, XdrOpaque handle) {
        this(security, handle, new AtomicLong(1));
    }

    /** The next sequence number. Those of a context are all different, and increase in the order in which calls are encoded. */
    long nextSequence() {
        return next.getAndIncrement();
    }
}
