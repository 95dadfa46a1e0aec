// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store;

import java.util.Set;

/**
 * The user and groups as which an operation runs, and the client that asks for it.
 *
 * @param peer whose share of caches and queues the operation uses: the same for everything that counts together, by {@code equals}
 */
public record Caller(long uid, long gid, Set<Long> gids, Object peer) {
    private static final String ONLY_PEER = "the only client";

    /** A caller whose credential names no user. */
    public static final Caller NOBODY = new Caller(65534, 65534, Set.of());

    /** A caller of the only client. */
    public Caller(long uid, long gid, Set<Long> gids) {
        this(uid, gid, gids, ONLY_PEER);
    }

    /** Copies the groups. */
    public Caller {
        gids = Set.copyOf(gids);
    }

    /** The same user and groups, of another client. */
    public Caller withPeer(Object other) {
        return new Caller(uid, gid, gids, other);
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
