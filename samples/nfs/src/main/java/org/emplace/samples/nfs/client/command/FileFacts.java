// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Locale;
import java.util.Objects;
import org.emplace.samples.nfs.client.files.FileNames;
import org.emplace.samples.nfs.client.files.NfsFileAttributes;

/** A file and its attributes. Symbolic links are not followed. */
record FileFacts(Path path, NfsFileAttributes attributes) {

    /** Gets the attributes from the server. */
    static FileFacts of(Path path) throws IOException {
        return new FileFacts(path, Files.readAttributes(path, NfsFileAttributes.class, LinkOption.NOFOLLOW_LINKS));
    }

    /** The file's type and permissions, as stat(2) has them. */
    int mode() {
        return attributes.mode();
    }

    int links() {
        return (int) attributes.nfs().nlink();
    }

    String owner() {
        return attributes.owner().getName();
    }

    String group() {
        return attributes.group().getName();
    }

    /** In bytes; unsigned. */
    long size() {
        return attributes.size();
    }

    /** The bytes of disk space that the file takes on the server; unsigned. */
    long used() {
        return attributes.nfs().used();
    }

    long fileId() {
        return attributes.nfs().fileid();
    }

    long fileSystemId() {
        return attributes.nfs().fsid();
    }

    /** The last name; for the export's root, the root itself. */
    Path name() {
        return Objects.requireNonNullElse(path.getFileName(), path);
    }

    /** Prints the name and, for a symbolic link, the target. */
    void printName() throws IOException {
        Output.print(FileNames.of(name()));
        if (isSymbolicLink()) {
            System.out.print(" -> ");
            Output.print(FileNames.targetOf(path));
        }
    }

    boolean isDirectory() {
        return attributes.isDirectory();
    }

    boolean isRegularFile() {
        return attributes.isRegularFile();
    }

    boolean isSymbolicLink() {
        return attributes.isSymbolicLink();
    }

    FileTime accessed() {
        return attributes.lastAccessTime();
    }

    FileTime modified() {
        return attributes.lastModifiedTime();
    }

    /** When the attributes were last changed. */
    FileTime changed() {
        return attributes.lastChangeTime();
    }

    /** One line of JSON. The URL has every byte of the name. */
    String json() throws IOException {
        JsonLine line = new JsonLine()
                .with("url", path.toUri().toString())
                .with("name", name().toString())
                .with("type", ModeText.type(mode()))
                .with("mode", String.format(Locale.ROOT, "%04o", mode() & 07777))
                .with("links", Integer.toUnsignedLong(links()))
                .with("uid", Long.parseLong(owner()))
                .with("gid", Long.parseLong(group()))
                .with("size", size())
                .with("used", used())
                .with("fileid", Long.toUnsignedString(fileId()))
                .with("accessed", accessed().toString())
                .with("modified", modified().toString())
                .with("changed", changed().toString());
        return (isSymbolicLink() ? line.with("target", FileNames.targetOf(path).toString()) : line).toString();
    }
}
