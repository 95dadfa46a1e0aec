// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.auth.gss;

import java.util.concurrent.atomic.AtomicLong;
import org.emplace.xdr.XdrOpaque;

/**
 * A context that a client has established with a server. Safe for use by several threads.
 *
 * @param handle what the server calls it
 * @param used the number of sequence numbers that have been used
 */
record ClientContext(SecurityContext security, XdrOpaque handle, AtomicLong used) {
    ClientContext(SecurityContext security, XdrOpaque handle) {
        this(security, handle, new AtomicLong());
    }

    /** The next sequence number. Those of a context are all different, and increase in the order in which calls are encoded. */
    long nextSequence() {
        return used.getAndIncrement();
    }
}
