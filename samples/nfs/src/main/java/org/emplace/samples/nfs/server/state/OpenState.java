// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.state;

import java.util.HashMap;
import java.util.Map;
import org.emplace.samples.nfs.server.state.Opens.Share;

/** The open of a file by an owner. */
final class OpenState extends HeldState {
    final Opaque owner;
    final FileState file;
    final Map<Opaque, LockState> lockOwners = new HashMap<>();

    /** The shares of the OPENs that made it, as a set: the bit of a share is {@link #bit}. */
    private int shares;

    private int access;
    private int deny;

    OpenState(long number, ClientRecord client, Opaque owner, FileState file) {
        super(number, client);
        this.owner = owner;
        this.file = file;
    }

    @Override
    FileState file() {
        return file;
    }

    private static int bit(int access, int deny) {
        return 1 << (access << 2 | deny);
    }

    void add(Share share) {
        shares |= bit(share.access(), share.deny());
        access |= share.access();
        deny |= share.deny();
    }

    /** Reduces it to a share that some of its OPENs come to; returns whether any do. */
    boolean reduceTo(Share share) {
        int kept = 0;
        int keptAccess = 0;
        int keptDeny = 0;
        for (int some = Share.READ; some <= Share.BOTH; some++) {
            for (int denied = Share.NONE; denied <= Share.BOTH; denied++) {
                boolean fits = (some & ~share.access()) == 0 && (denied & ~share.deny()) == 0;
                if (fits && (shares & bit(some, denied)) != 0) {
                    kept |= bit(some, denied);
                    keptAccess |= some;
                    keptDeny |= denied;
                }
            }
        }
        if (keptAccess != share.access() || keptDeny != share.deny()) {
            return false;
        }
        shares = kept;
        access = keptAccess;
        deny = keptDeny;
        return true;
    }

    @Override
    boolean permits(int wanted) {
        return (access & wanted) != 0;
    }

    /** Whether it excludes an open with a share, or I/O as a share that denies nothing. */
    boolean excludes(Share share) {
        return (deny & share.access()) != 0 || (access & share.deny()) != 0;
    }
}
