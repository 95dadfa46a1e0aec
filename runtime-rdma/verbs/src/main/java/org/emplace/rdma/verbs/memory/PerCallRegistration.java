// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.memory;

import org.emplace.rdma.MemorySegment;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RemoteAccess;
import org.emplace.rdma.RemoteSegment;
import org.emplace.rdma.verbs.memory.Grants.Grant;

/**
 * Registers each range while it is exposed, in a protection domain of this connection's queue pair alone. Works with every device, but costs
 * two system calls per grant.
 *
 * <p>Security: the registration has the exact bounds of the range and the one right that was granted, so the STag gives no access beyond them.
 * Other connections' queue pairs are not in the domain, so no other peer can use it. Revoking deregisters the range, after which the STag is
 * invalid. The device chooses STags; a later registration may get the same index with another key.
 */
public final class PerCallRegistration extends RemoteAccessStrategy {
    /** @param domain of this connection alone; closed with it */
    public PerCallRegistration(ProtectionDomain domain) {
        super(domain);
    }

    @Override
    public Grant expose(MemorySegment segment, RemoteAccess.Right right, WindowPosting posting) throws RdmaException {
        grants.checkOpen();
        VerbsRegion region = VerbsRegion.of(segment);
        Registration registration = register(region, segment, right);
        RemoteSegment advertised = region.advertised(segment, registration.remoteKey());
        return grants.begin(new Grant(region, advertised, grant -> {
            if (segment.length() > 0) {
                registration.close();
            }
            grants.end(grant);
        }));
    }

    /** Registers a range. An empty range cannot be registered; the region's own key is used for it, since that gives the peer no right. */
    private Registration register(VerbsRegion region, MemorySegment segment, RemoteAccess.Right right)
            throws RdmaException {
        if (segment.length() == 0) {
            return region.in(domain);
        }
        return region.registerPart(domain, segment.offset(), segment.length(), region.registrationRight(right));
    }
}
