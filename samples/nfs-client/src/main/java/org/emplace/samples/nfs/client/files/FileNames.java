// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.files;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import org.emplace.samples.nfs.client.RemoteName;
import org.emplace.samples.nfs.path.PathBytes;
import org.emplace.xdr.XdrString;

/** The bytes of the names of files, which pass between a server and the local file system unchanged, whatever the locale. */
public final class FileNames {
    private FileNames() {}

    /**
     * The bytes of a path: a name in a directory, or the target of a symbolic link, which may be relative and may hold double dots.
     */
    public static XdrString of(Path path) {
        if (path instanceof NfsPath remote) {
            return remote.bytes();
        }
        if (!isOnDisk(path)) {
            return XdrString.of(path.toString());
        }
        return XdrString.of(PathBytes.of(path));
    }

    /** The path as text for a message; for a file on a server, its URL. */
    public static String text(Path path) {
        return path instanceof NfsPath remote ? remote.place().toString() : RemoteName.printable(of(path));
    }

    /**
     * The entry of a directory with this name; never a path to another directory.
     *
     * @throws IOException if the name, which may come from an untrusted server, would lead out of the directory
     */
    public static Path in(Path directory, XdrString name) throws IOException {
        if (!RemoteName.isValid(name)) {
            throw new IOException(
                    "the server sent '" + RemoteName.printable(name) + "', which is not a valid file name");
        }
        return directory.resolve(path(directory, name));
    }

    /** The target of a symbolic link, unchanged: an absolute target is a path on the server, not in the export. */
    public static XdrString targetOf(Path link) throws IOException {
        return link instanceof NfsPath remote ? remote.readSymbolicLink() : of(Files.readSymbolicLink(link));
    }

    /** A symbolic link's target as a path of the link's file system. */
    public static Path target(Path link, XdrString target) throws IOException {
        for (byte b : target.bytes()) {
            if (b == 0) {
                throw new IOException("the server sent a symbolic link with a zero byte in it");
            }
        }
        if (target.length() == 0) {
            throw new IOException("the server sent an empty symbolic link");
        }
        return path(link, target);
    }

    private static Path path(Path like, XdrString bytes) {
        if (like instanceof NfsPath remote) {
            return NfsPath.of(remote.getFileSystem(), bytes);
        }
        if (!isOnDisk(like)) {
            return like.getFileSystem().getPath(bytes.toString());
        }
        return PathBytes.path(bytes.bytes());
    }

    private static boolean isOnDisk(Path path) {
        return path.getFileSystem().equals(FileSystems.getDefault());
    }
}
