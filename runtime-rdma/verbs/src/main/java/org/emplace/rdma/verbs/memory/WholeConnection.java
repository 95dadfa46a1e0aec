// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.memory;

import java.util.HashMap;
import java.util.Map;
import org.emplace.rdma.MemorySegment;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RemoteAccess;
import org.emplace.rdma.RemoteSegment;
import org.emplace.rdma.verbs.jni.Libibverbs;
import org.emplace.rdma.verbs.memory.Grants.Grant;

/**
 * Registers a region once for a connection, at the first grant of any part of it, and leaves it open to the peer until the connection ends or
 * the region is closed. The fastest and the least safe strategy; used only if it is configured.
 *
 * <p>Security: <b>revoking does not end the access</b>. The connection's peer can read and write all of a region of which it was granted any
 * part, at any time, also after its call has completed and the memory is in use for another purpose: RFC 8166 section 8.1 warns of this.
 * Other connections' peers have no access, because the domain belongs to this connection alone. Use it only with peers that are trusted like
 * this process.
 */
public final class WholeConnection extends RemoteAccessStrategy {
    private final Map<VerbsRegion, Registration> exposed = new HashMap<>();

    /** @param domain of this connection alone; closed with it */
    public WholeConnection(ProtectionDomain domain) {
        super(domain);
    }

    @Override
    public Grant expose(MemorySegment segment, RemoteAccess.Right right, WindowPosting posting) throws RdmaException {
        grants.checkOpen();
        VerbsRegion region = VerbsRegion.of(segment);
        int wanted = region.registrationRight(right);
        Registration registration = segment.length() == 0 ? region.in(domain) : expose(region, wanted);
        return grants.begin(new Grant(region, region.advertised(segment, registration.remoteKey()), grants::end));
    }

    private synchronized Registration expose(VerbsRegion region, int wanted) throws RdmaException {
        Registration known = exposed.get(region);
        if (known != null) {
            return known;
        }
        int rights = region.bytes().isReadOnly()
                ? wanted
                : wanted | Libibverbs.LOCAL_WRITE | Libibverbs.REMOTE_READ | Libibverbs.REMOTE_WRITE;
        Registration registration = region.registerPart(domain, 0, region.length(), rights);
        exposed.put(region, registration);
        // Closing the region revokes this grant of the whole. The peer is told only of the other grants.
        RemoteSegment whole = new RemoteSegment(registration.remoteKey(), region.address(), region.length());
        grants.begin(new Grant(region, whole, granted -> {
            deregister(region);
            grants.end(granted);
        }));
        return registration;
    }

    private synchronized void deregister(VerbsRegion region) {
        Registration registration = exposed.remove(region);
        if (registration != null) {
            registration.close();
        }
    }
}
