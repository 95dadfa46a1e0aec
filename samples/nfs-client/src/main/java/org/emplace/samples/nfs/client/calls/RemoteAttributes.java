// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.calls;

import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Optional;
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

    /** Sets nothing. */
    static final Sattr3 UNCHANGED =
            change(OptionalLong.empty(), OptionalLong.empty(), Optional.empty(), Optional.empty());

    private RemoteAttributes() {}

    /** Sets the permissions. */
    public static Sattr3 mode(long mode) {
        return change(OptionalLong.of(mode), OptionalLong.empty(), Optional.empty(), Optional.empty());
    }

    /** Sets an owner, a group, or both. */
    public static Sattr3 owner(OptionalLong uid, OptionalLong gid) {
        return new Sattr3(OptionalLong.empty(), uid, gid, OptionalLong.empty(), UNCHANGED.atime(), UNCHANGED.mtime());
    }

    /** Sets the permissions and times to those of another remote file. */
    public static Sattr3 all(Fattr3 other) {
        return change(
                OptionalLong.of(other.mode() & 07777),
                OptionalLong.empty(),
                Optional.of(other.atime()),
                Optional.of(other.mtime()));
    }

    /** Sets the size in bytes. */
    public static Sattr3 size(long size) {
        return change(OptionalLong.empty(), OptionalLong.of(size), Optional.empty(), Optional.empty());
    }

    /** Sets times, each unless it is null, to the nearest that NFS version 3 can express. */
    public static Sattr3 times(@Nullable FileTime access, @Nullable FileTime modification) {
        return change(
                OptionalLong.empty(),
                OptionalLong.empty(),
                Optional.ofNullable(access).map(RemoteAttributes::time),
                Optional.ofNullable(modification).map(RemoteAttributes::time));
    }

    /** Sets the permissions and the size 0, for a file that is created. */
    public static Sattr3 emptyWithMode(long mode) {
        return change(OptionalLong.of(mode), OptionalLong.of(0), Optional.empty(), Optional.empty());
    }

    /** Sets the permissions and times to those of a local file. */
    public static Sattr3 of(PosixFileAttributes local) {
        return change(
                OptionalLong.of(mode(local.permissions())),
                OptionalLong.empty(),
                Optional.of(time(local.lastAccessTime())),
                Optional.of(time(local.lastModifiedTime())));
    }

    /** Permissions as mode bits. */
    public static long mode(Set<PosixFilePermission> permissions) {
        long mode = 0;
        for (PosixFilePermission permission : permissions) {
            mode |= bit(permission);
        }
        return mode;
    }

    /** Mode bits as permissions, without those beyond read, write and execute. */
    public static Set<PosixFilePermission> permissions(long mode) {
        Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
        for (PosixFilePermission permission : PosixFilePermission.values()) {
            if ((mode & bit(permission)) != 0) {
                permissions.add(permission);
            }
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

    private static int bit(PosixFilePermission permission) {
        return switch (permission) {
            case OWNER_READ -> 0400;
            case OWNER_WRITE -> 0200;
            case OWNER_EXECUTE -> 0100;
            case GROUP_READ -> 0040;
            case GROUP_WRITE -> 0020;
            case GROUP_EXECUTE -> 0010;
            case OTHERS_READ -> 0004;
            case OTHERS_WRITE -> 0002;
            case OTHERS_EXECUTE -> 0001;
        };
    }

    private static Sattr3 change(
            OptionalLong mode, OptionalLong size, Optional<Nfstime3> atime, Optional<Nfstime3> mtime) {
        return new Sattr3(
                mode,
                OptionalLong.empty(),
                OptionalLong.empty(),
                size,
                atime.<SetAtime>map(SetAtime.SetToClientTime::new)
                        .orElseGet(() -> new SetAtime.Default(TimeHow.DONT_CHANGE)),
                mtime.<SetMtime>map(SetMtime.SetToClientTime::new)
                        .orElseGet(() -> new SetMtime.Default(TimeHow.DONT_CHANGE)));
    }
}
