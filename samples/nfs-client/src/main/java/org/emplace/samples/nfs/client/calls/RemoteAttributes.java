// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.calls;

import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Instant;
import java.util.EnumSet;
import java.util.OptionalLong;
import java.util.Set;
import org.emplace.samples.nfs.protocol.Fattr3;
import org.emplace.samples.nfs.protocol.Nfstime3;
import org.emplace.samples.nfs.protocol.Sattr3;
import org.emplace.samples.nfs.protocol.SetAtime;
import org.emplace.samples.nfs.protocol.SetMtime;
import org.emplace.samples.nfs.protocol.TimeHow;
import org.jspecify.annotations.Nullable;

/** Makes the attributes that CREATE, MKDIR and SETATTR set, and converts modes and times between the protocol's form and Java's. */
public final class RemoteAttributes {
    private static final long LATEST_SECOND = 0xffff_ffffL;
    /** The bit of the first permission; those of the others follow to the right. */
    private static final int OWNER_READ = 0400;

    /** Sets nothing. */
    public static final Sattr3 UNCHANGED = new Sattr3(
            OptionalLong.empty(),
            OptionalLong.empty(),
            OptionalLong.empty(),
            OptionalLong.empty(),
            new SetAtime.Default(TimeHow.DONT_CHANGE),
            new SetMtime.Default(TimeHow.DONT_CHANGE));

    private RemoteAttributes() {}

    /** Sets the permissions. */
    public static Sattr3 mode(long mode) {
        return UNCHANGED.withMode(OptionalLong.of(mode));
    }

    /** Sets an owner, a group, or both. */
    public static Sattr3 owner(OptionalLong uid, OptionalLong gid) {
        return UNCHANGED.withUid(uid).withGid(gid);
    }

    /** Sets the permissions and times to those of another remote file. */
    public static Sattr3 all(Fattr3 other) {
        return mode(other.mode() & 07777)
                .withAtime(new SetAtime.SetToClientTime(other.atime()))
                .withMtime(new SetMtime.SetToClientTime(other.mtime()));
    }

    /** Sets the size in bytes. */
    public static Sattr3 size(long size) {
        return UNCHANGED.withSize(OptionalLong.of(size));
    }

    /** Sets times, each unless it is null, to the nearest that NFS version 3 can express. */
    public static Sattr3 times(@Nullable FileTime access, @Nullable FileTime modification) {
        return UNCHANGED
                .withAtime(access == null ? UNCHANGED.atime() : new SetAtime.SetToClientTime(time(access)))
                .withMtime(modification == null ? UNCHANGED.mtime() : new SetMtime.SetToClientTime(time(modification)));
    }

    /** Sets the permissions and times to those of a local file. */
    public static Sattr3 of(PosixFileAttributes local) {
        return times(local.lastAccessTime(), local.lastModifiedTime())
                .withMode(OptionalLong.of(mode(local.permissions())));
    }

    /** Permissions as mode bits. */
    public static long mode(Set<PosixFilePermission> permissions) {
        long mode = 0;
        int bit = OWNER_READ;
        for (PosixFilePermission permission : PosixFilePermission.values()) {
            mode |= permissions.contains(permission) ? bit : 0;
            bit >>= 1;
        }
        return mode;
    }

    /** Mode bits as permissions, without those beyond read, write and execute. */
    public static Set<PosixFilePermission> permissions(long mode) {
        Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
        int bit = OWNER_READ;
        for (PosixFilePermission permission : PosixFilePermission.values()) {
            if ((mode & bit) != 0) {
                permissions.add(permission);
            }
            bit >>= 1;
        }
        return permissions;
    }

    /** A time of the protocol. */
    public static Instant instant(Nfstime3 time) {
        return Instant.ofEpochSecond(time.seconds(), time.nseconds());
    }

    private static Nfstime3 time(FileTime local) {
        Instant instant = local.toInstant();
        long second = instant.getEpochSecond();
        if (second < 0 || second > LATEST_SECOND) {
            // NFS version 3 counts seconds from 1970 in 32 bits: use the nearest time.
            return new Nfstime3(second < 0 ? 0 : LATEST_SECOND, 0);
        }
        return new Nfstime3(second, instant.getNano());
    }
}
