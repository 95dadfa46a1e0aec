// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store;

import java.util.Set;

/** The user and groups as which an operation runs. */
public record Caller(long uid, long gid, Set<Long> gids) {

    /** A caller whose credential names no user. */
    public static final Caller NOBODY = new Caller(65534, 65534, Set.of());

    /** Copies the groups. */
    public Caller {
        gids = Set.copyOf(gids);
    }

    public boolean isSuperuser() {
        return uid == 0;
    }

    public boolean isIn(long group) {
        return gid == group || gids.contains(group);
    }

    public boolean owns(FileAttributes file) {
        return uid == file.uid();
    }
}
