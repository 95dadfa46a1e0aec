// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.memory;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaException.Reason;

/** The grants of one connection that hold. Safe for use by several threads. */
final class Grants {
    private final Set<Grant> held = ConcurrentHashMap.newKeySet();
    private volatile boolean over;

    /** @throws RdmaException if the connection is over */
    void checkOpen() throws RdmaException {
        if (over) {
            throw new RdmaException(Reason.DISCONNECTED, "memory exposed to a peer that is gone");
        }
    }

    /** Adds a grant; where the connection ended meanwhile, the grant has ended too. */
    Grant begin(Grant grant) {
        held.add(grant);
        grant.begin();
        if (over) {
            end(grant);
        }
        return grant;
    }

    void end(Grant grant) {
        held.remove(grant);
        grant.end();
    }

    /** Nothing is granted from here on. */
    void stop() {
        over = true;
    }

    void endAll() {
        held.forEach(this::end);
    }
}
