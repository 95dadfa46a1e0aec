// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.files;

import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.UserPrincipal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.emplace.samples.nfs.client.calls.RemoteAttributes;
import org.emplace.samples.nfs.protocol.Fattr3;
import org.emplace.samples.nfs.protocol.Ftype3;
import org.emplace.samples.nfs.protocol.Nfstime3;

/** A file's attributes, as the server sent them. */
public record NfsFileAttributes(Fattr3 nfs) implements PosixFileAttributes {

    /** Identifies a file on its server. */
    record FileKey(long fsid, long fileid) {}

    private static FileTime time(Nfstime3 time) {
        return FileTime.from(RemoteAttributes.instant(time));
    }

    @Override
    public UserPrincipal owner() {
        return new Principals.User(nfs.uid());
    }

    @Override
    public GroupPrincipal group() {
        return new Principals.Group(nfs.gid());
    }

    @Override
    public Set<PosixFilePermission> permissions() {
        return RemoteAttributes.permissions(nfs.mode());
    }

    @Override
    public FileTime lastModifiedTime() {
        return time(nfs.mtime());
    }

    @Override
    public FileTime lastAccessTime() {
        return time(nfs.atime());
    }

    /** The time of the last modification, because NFS version 3 has no creation time. The default file system does the same. */
    @Override
    public FileTime creationTime() {
        return lastModifiedTime();
    }

    @Override
    public boolean isRegularFile() {
        return nfs.type() == Ftype3.NF3REG;
    }

    @Override
    public boolean isDirectory() {
        return nfs.type() == Ftype3.NF3DIR;
    }

    @Override
    public boolean isSymbolicLink() {
        return nfs.type() == Ftype3.NF3LNK;
    }

    @Override
    public boolean isOther() {
        return !isRegularFile() && !isDirectory() && !isSymbolicLink();
    }

    @Override
    public long size() {
        return nfs.size();
    }

    @Override
    public Object fileKey() {
        return new FileKey(nfs.fsid(), nfs.fileid());
    }

    /** Whether a file of another file system has the same type and number, as the same file has, whatever else is known of it. */
    boolean hasNumberOf(NfsFileAttributes elsewhere) {
        return nfs.type() == elsewhere.nfs.type() && nfs.fileid() == elsewhere.nfs.fileid();
    }

    /**
     * Whether a file of another file system may be the same, if nobody changed it between the two looks. A server has one number for a file
     * in all exports, but may have a number for the file system in each. Other files of that number differ in size or times, unless one
     * file system is a snapshot or a replica of the other.
     */
    boolean maybeSameFile(NfsFileAttributes elsewhere) {
        Fattr3 other = elsewhere.nfs;
        return hasNumberOf(elsewhere)
                && nfs.size() == other.size()
                && nfs.mtime().equals(other.mtime())
                && nfs.ctime().equals(other.ctime());
    }

    /**
     * The attributes of a view, by name.
     *
     * @throws UnsupportedOperationException if there is no such view
     */
    Map<String, Object> of(String view) {
        Map<String, Object> all = new LinkedHashMap<>();
        switch (view) {
            case "basic" -> basic(all);
            case "owner" -> all.put("owner", owner());
            case "posix" -> posix(all);
            case "nfs" -> {
                posix(all);
                all.put("mode", mode());
                all.put("uid", (int) nfs.uid());
                all.put("gid", (int) nfs.gid());
                all.put("nlink", (int) nfs.nlink());
                all.put("used", nfs.used());
                all.put("fsid", nfs.fsid());
                all.put("fileid", nfs.fileid());
                all.put("ctime", lastChangeTime());
            }
            default -> throw new UnsupportedOperationException("there is no view '" + view + "' of attributes");
        }
        return all;
    }

    /** When the attributes were last changed. */
    public FileTime lastChangeTime() {
        return time(nfs.ctime());
    }

    /** The file's type and permissions, as in the {@code st_mode} of stat(2). */
    public int mode() {
        int type = switch (nfs.type()) {
            case NF3REG -> 0100000;
            case NF3DIR -> 0040000;
            case NF3BLK -> 0060000;
            case NF3CHR -> 0020000;
            case NF3LNK -> 0120000;
            case NF3SOCK -> 0140000;
            case NF3FIFO -> 0010000;
        };
        return type | (int) (nfs.mode() & 07777);
    }

    private void posix(Map<String, Object> all) {
        basic(all);
        all.put("permissions", permissions());
        all.put("owner", owner());
        all.put("group", group());
    }

    private void basic(Map<String, Object> all) {
        all.put("size", size());
        all.put("creationTime", creationTime());
        all.put("lastAccessTime", lastAccessTime());
        all.put("lastModifiedTime", lastModifiedTime());
        all.put("isDirectory", isDirectory());
        all.put("isRegularFile", isRegularFile());
        all.put("isSymbolicLink", isSymbolicLink());
        all.put("isOther", isOther());
        all.put("fileKey", fileKey());
    }
}
