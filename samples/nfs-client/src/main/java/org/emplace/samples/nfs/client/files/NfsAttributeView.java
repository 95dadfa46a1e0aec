// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.files;

import java.io.IOException;
import java.nio.file.ProviderMismatchException;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.UserPrincipal;
import java.util.OptionalLong;
import java.util.Set;
import org.emplace.samples.nfs.client.calls.RemoteAttributes;
import org.emplace.samples.nfs.protocol.Sattr3;
import org.jspecify.annotations.Nullable;

/**
 * A view of a file's attributes.
 *
 * @param followLinks whether a symbolic link stands for the file that it leads to
 * @param name the view's name, which is that of the requested interface
 */
record NfsAttributeView(NfsPath path, boolean followLinks, String name) implements PosixFileAttributeView {

    @Override
    public NfsFileAttributes readAttributes() throws IOException {
        return path.getFileSystem().operations().attributes(path, followLinks);
    }

    @Override
    public UserPrincipal getOwner() throws IOException {
        return readAttributes().owner();
    }

    /** Ignores the creation time, as the default file system does: NFS version 3 has none. */
    @Override
    public void setTimes(@Nullable FileTime modification, @Nullable FileTime access, @Nullable FileTime creation)
            throws IOException {
        if (modification != null || access != null) {
            change(RemoteAttributes.times(access, modification));
        }
    }

    @Override
    public void setPermissions(Set<PosixFilePermission> permissions) throws IOException {
        change(RemoteAttributes.mode(RemoteAttributes.mode(permissions)));
    }

    @Override
    public void setOwner(UserPrincipal owner) throws IOException {
        if (!(owner instanceof Principals.User user)) {
            throw new ProviderMismatchException("'" + owner + "' is not a user of this file system");
        }
        change(RemoteAttributes.owner(OptionalLong.of(user.uid()), OptionalLong.empty()));
    }

    @Override
    public void setGroup(GroupPrincipal group) throws IOException {
        if (!(group instanceof Principals.Group ours)) {
            throw new ProviderMismatchException("'" + group + "' is not a group of this file system");
        }
        change(RemoteAttributes.owner(OptionalLong.empty(), OptionalLong.of(ours.gid())));
    }

    /**
     * Sets an attribute by its name.
     *
     * @throws IllegalArgumentException if the view has no such attribute, or it cannot be set
     * @throws ClassCastException if the value is of another type
     */
    void set(String attribute, Object value) throws IOException {
        boolean basic = !name.equals("owner");
        boolean posix = name.equals("posix") || name.equals("nfs");
        if (basic && attribute.equals("lastModifiedTime")) {
            setTimes((FileTime) value, null, null);
        } else if (basic && attribute.equals("lastAccessTime")) {
            setTimes(null, (FileTime) value, null);
        } else if (basic && attribute.equals("creationTime")) {
            setTimes(null, null, (FileTime) value);
        } else if (posix && attribute.equals("permissions")) {
            setPermissions(Options.permissions(value));
        } else if ((posix || !basic) && attribute.equals("owner")) {
            setOwner((UserPrincipal) value);
        } else if (posix && attribute.equals("group")) {
            setGroup((GroupPrincipal) value);
        } else if (name.equals("nfs") && Set.of("mode", "uid", "gid").contains(attribute)) {
            setNumber(attribute, Integer.toUnsignedLong((Integer) value));
        } else {
            throw new IllegalArgumentException("'" + name + ":" + attribute + "' cannot be set");
        }
    }

    private void setNumber(String attribute, long value) throws IOException {
        change(
                switch (attribute) {
                    case "mode" -> RemoteAttributes.mode(value & 07777);
                    case "uid" -> RemoteAttributes.owner(OptionalLong.of(value), OptionalLong.empty());
                    default -> RemoteAttributes.owner(OptionalLong.empty(), OptionalLong.of(value));
                });
    }

    private void change(Sattr3 attributes) throws IOException {
        path.getFileSystem().operations().change(path, followLinks, attributes);
    }
}
