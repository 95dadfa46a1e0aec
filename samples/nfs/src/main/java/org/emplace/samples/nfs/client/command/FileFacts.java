// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.Objects;

/** What the server says of a file: the attribute view {@code nfs}, with types. Links are not followed. */
record FileFacts(Map<String, Object> attributes) {

    /** Asks for them. */
    static FileFacts of(Path path) throws IOException {
        return new FileFacts(Files.readAttributes(path, "nfs:*", LinkOption.NOFOLLOW_LINKS));
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

    /** Bytes that the file takes on the server's disk; unsigned. */
    long used() {
        return value("used", Long.class);
    }

    long fileId() {
        return value("fileid", Long.class);
    }

    long fileSystemId() {
        return value("fsid", Long.class);
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

    private <T> T value(String name, Class<T> type) {
        return type.cast(Objects.requireNonNull(attributes.get(name)));
    }
}
