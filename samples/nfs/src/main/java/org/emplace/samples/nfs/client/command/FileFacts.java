// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import org.emplace.samples.nfs.client.files.FileNames;
import org.emplace.samples.nfs.client.files.NfsFileAttributes;
import org.emplace.samples.nfs.protocol.Fattr3;

/** A file and its attributes. Symbolic links are not followed. */
record FileFacts(Path path, NfsFileAttributes attributes) {

    /** Gets the attributes from the server. */
    static FileFacts of(Path path) throws IOException {
        return new FileFacts(path, Files.readAttributes(path, NfsFileAttributes.class, LinkOption.NOFOLLOW_LINKS));
    }

    /** The last name; for the export's root, the root itself. */
    Path name() {
        return Objects.requireNonNullElse(path.getFileName(), path);
    }

    /** Prints the name and, for a symbolic link, the target. */
    void printName() throws IOException {
        Output.print(FileNames.of(name()));
        if (attributes.isSymbolicLink()) {
            System.out.print(" -> ");
            Output.print(FileNames.targetOf(path));
        }
    }

    boolean isDirectory() {
        return attributes.isDirectory();
    }

    /** The type in words. */
    String type() {
        return ModeText.type(attributes.mode());
    }

    /** One line of JSON. The URL has every byte of the name. */
    String json() throws IOException {
        Fattr3 nfs = attributes.nfs();
        JsonLine line = new JsonLine()
                .with("url", path.toUri().toString())
                .with("name", name().toString())
                .with("type", type())
                .with("mode", String.format(Locale.ROOT, "%04o", attributes.mode() & 07777))
                .with("links", nfs.nlink())
                .with("uid", nfs.uid())
                .with("gid", nfs.gid())
                .with("size", nfs.size())
                .with("used", nfs.used())
                .with("fileid", Long.toUnsignedString(nfs.fileid()))
                .with("accessed", attributes.lastAccessTime().toString())
                .with("modified", attributes.lastModifiedTime().toString())
                .with("changed", attributes.lastChangeTime().toString());
        return (attributes.isSymbolicLink()
                        ? line.with("target", FileNames.targetOf(path).toString())
                        : line)
                .toString();
    }

    /** A JSON object on one line (RFC 8259). */
    static final class JsonLine {
        private final StringBuilder text = new StringBuilder();

        /** Adds a member. */
        JsonLine with(String name, String value) {
            return member(name, quoted(value));
        }

        /** Adds a member. The number is unsigned. */
        JsonLine with(String name, long value) {
            return member(name, Long.toUnsignedString(value));
        }

        private JsonLine member(String name, String value) {
            text.append(text.length() == 0 ? "" : ",")
                    .append(quoted(name))
                    .append(':')
                    .append(value);
            return this;
        }

        private static String quoted(String value) {
            StringBuilder quoted = new StringBuilder("\"");
            value.chars().forEach(c -> {
                if (c == '"' || c == '\\') {
                    quoted.append('\\').append((char) c);
                } else if (c < ' ' || c == 0x7f) {
                    quoted.append(String.format(Locale.ROOT, "\\u%04x", c));
                } else {
                    quoted.append((char) c);
                }
            });
            return quoted.append('"').toString();
        }

        @Override
        public String toString() {
            return "{" + text + "}";
        }
    }
}
