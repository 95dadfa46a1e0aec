// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.memory;

import org.emplace.rdma.MemorySegment;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RemoteAccess;
import org.emplace.rdma.RemoteSegment;
import org.emplace.rdma.verbs.memory.Grants.Grant;

/**
 * Registers each range that is exposed, for as long as it is, in a protection domain that only this connection's queue pair belongs to.
 * Works with every device, at the price of two system calls a grant.
 *
 * <p>Security: the registration has the range's exact bounds and the one right that was granted, so an STag gives nothing beyond them; no
 * other connection's queue pair is in the domain, so nobody else can use it; revoking deregisters, after which the STag means nothing.
 * The device chooses STags, and a later registration may get the same index with another key.
 */
public final class PerCallRegistration implements RemoteAccessStrategy {
    private final ProtectionDomain domain;
    private final Grants grants = new Grants();

    /** @param domain of this connection alone; closed with it */
    public PerCallRegistration(ProtectionDomain domain) {
        this.domain = domain;
    }

    @Override
    public ProtectionDomain domain() {
        return domain;
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

    /** An empty range cannot be registered. The region's own key serves, because it gives the peer no right at all. */
    private Registration register(VerbsRegion region, MemorySegment segment, RemoteAccess.Right right)
            throws RdmaException {
        if (segment.length() == 0) {
            return region.in(domain);
        }
        return region.registerPart(domain, segment.offset(), segment.length(), region.registrationRight(right));
    }

    @Override
    public void stop() {
        grants.stop();
    }

    @Override
    public void close() {
        domain.close();
        grants.endAll();
    }
}
