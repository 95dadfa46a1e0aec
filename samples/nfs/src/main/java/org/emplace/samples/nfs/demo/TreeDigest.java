// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.demo;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.emplace.samples.nfs.client.RemoteName;
import org.emplace.samples.nfs.client.files.FileNames;
import org.emplace.xdr.XdrString;

/**
 * The content of a tree of files, or of one file: for each path the type and the permissions, and the SHA-256 of the file's content or the link's
 * target.
 *
 * @param entries by path from the top; the empty path is the top itself
 * @param files the number of regular files
 * @param bytes the number of bytes in them
 */
record TreeDigest(SortedMap<XdrString, String> entries, long files, long bytes) {

    /** Reads everything below a path. */
    static TreeDigest of(Path top) throws IOException {
        SortedMap<XdrString, String> entries = new TreeMap<>();
        long files = 0;
        long bytes = 0;
        try (Stream<Path> paths = Files.walk(top)) {
            for (Path path : (Iterable<Path>) paths::iterator) {
                BasicFileAttributes attributes =
                        Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
                entries.put(below(top, path), describe(path, attributes));
                files += attributes.isRegularFile() ? 1 : 0;
                bytes += attributes.isRegularFile() ? attributes.size() : 0;
            }
        }
        return new TreeDigest(entries, files, bytes);
    }

    private static XdrString below(Path top, Path path) {
        return path.equals(top) ? XdrString.of("") : FileNames.of(top.relativize(path));
    }

    private static String describe(Path path, BasicFileAttributes attributes) throws IOException {
        if (attributes.isSymbolicLink()) {
            return "link to " + RemoteName.printable(FileNames.of(Files.readSymbolicLink(path)));
        }
        String permissions = PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
        return attributes.isDirectory() ? "directory " + permissions : "file " + permissions + " " + sha256(path);
    }

    private static String sha256(Path file) throws IOException {
        MessageDigest digest;
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
        byte[] part = new byte[1 << 16];
        try (InputStream in = Files.newInputStream(file)) {
            for (int length = in.read(part); length >= 0; length = in.read(part)) {
                digest.update(part, 0, length);
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    /** The differences of another tree, one line per path; empty if both are the same. */
    List<String> differences(TreeDigest other) {
        List<String> differences = new ArrayList<>();
        for (Map.Entry<XdrString, String> entry : entries.entrySet()) {
            String theirs = other.entries.get(entry.getKey());
            if (!entry.getValue().equals(theirs)) {
                differences.add(RemoteName.printable(entry.getKey()) + ": " + entry.getValue() + " came back as "
                        + (theirs == null ? "nothing" : theirs));
            }
        }
        for (XdrString path : other.entries.keySet()) {
            if (!entries.containsKey(path)) {
                differences.add(RemoteName.printable(path) + ": came back, but did not exist before");
            }
        }
        return differences;
    }
}
