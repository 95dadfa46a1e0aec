// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import org.emplace.samples.nfs.path.PathBytes;
import org.emplace.xdr.XdrString;

/**
 * Names of files. They are bytes and need not be text in any encoding. They pass between the server and the local file system unchanged,
 * whatever the locale.
 */
public final class RemoteName {
    private static final XdrString DOT = XdrString.of(".");
    private static final XdrString DOT_DOT = XdrString.of("..");

    private RemoteName() {}

    /** Whether the bytes can name an entry of a directory: not empty, no slash, no zero byte, neither of the dots. */
    public static boolean isValid(XdrString name) {
        for (byte b : name.bytes()) {
            if (b == '/' || b == 0) {
                return false;
            }
        }
        return name.length() > 0 && !isDots(name);
    }

    /** Whether it is the directory itself or its parent. */
    public static boolean isDots(XdrString name) {
        return name.equals(DOT) || name.equals(DOT_DOT);
    }

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
        return path instanceof NfsPath remote ? remote.place().toString() : printable(of(path));
    }

    /**
     * The entry of a directory with this name; never a path to another directory.
     *
     * @throws IOException if the name, which may come from an untrusted server, would lead out of the directory
     */
    public static Path in(Path directory, XdrString name) throws IOException {
        if (!isValid(name)) {
            throw new IOException("the server sent '" + printable(name) + "', which is no file's name");
        }
        return directory.resolve(path(directory, name));
    }

    /** The target of a symbolic link, unchanged: an absolute target is a path on the server, not in the export. */
    public static XdrString targetOf(Path link) throws IOException {
        return link instanceof NfsPath remote
                ? remote.getFileSystem().operations().readLink(remote)
                : of(Files.readSymbolicLink(link));
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

    /** The name as text for a terminal. Replaces control characters and bytes that are not UTF-8. */
    public static String printable(XdrString name) {
        String text = new String(name.bytes(), StandardCharsets.UTF_8);
        StringBuilder printable = new StringBuilder(text.length());
        text.codePoints().map(c -> upsetting(c) ? '?' : c).forEach(printable::appendCodePoint);
        return printable.toString();
    }

    /** Whether it is a control character, or one that reorders text or is invisible. */
    private static boolean upsetting(int character) {
        int type = Character.getType(character);
        return type == Character.CONTROL
                || type == Character.FORMAT
                || type == Character.LINE_SEPARATOR
                || type == Character.PARAGRAPH_SEPARATOR;
    }
}
