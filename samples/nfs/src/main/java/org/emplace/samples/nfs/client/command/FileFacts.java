// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.emplace.samples.nfs.client.files.FileNames;

/** The attributes of a file, from the view {@code nfs}, with types. Symbolic links are not followed. */
record FileFacts(Path path, Map<String, Object> attributes) {

    /** Gets the attributes from the server. */
    static FileFacts of(Path path) throws IOException {
        return new FileFacts(path, Files.readAttributes(path, "nfs:*", LinkOption.NOFOLLOW_LINKS));
    }

    /** The file's type and permissions, as stat(2) has them. */
    int mode() {
        return value("mode", Integer.class);
    }

    int links() {
        return value("nlink", Integer.class);
    }

    String owner() {
        return value("owner", Object.class).toString();
    }

    String group() {
        return value("group", Object.class).toString();
    }

    /** In bytes; unsigned. */
    long size() {
        return value("size", Long.class);
    }

    /** The bytes of disk space that the file takes on the server; unsigned. */
    long used() {
        return value("used", Long.class);
    }

    long fileId() {
        return value("fileid", Long.class);
    }

    long fileSystemId() {
        return value("fsid", Long.class);
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
        return value("isDirectory", Boolean.class);
    }

    boolean isRegularFile() {
        return value("isRegularFile", Boolean.class);
    }

    boolean isSymbolicLink() {
        return value("isSymbolicLink", Boolean.class);
    }

    FileTime accessed() {
        return value("lastAccessTime", FileTime.class);
    }

    FileTime modified() {
        return value("lastModifiedTime", FileTime.class);
    }

    /** When the attributes were last changed. */
    FileTime changed() {
        return value("ctime", FileTime.class);
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

    private <T> T value(String name, Class<T> type) {
        return type.cast(Objects.requireNonNull(attributes.get(name)));
    }
}
