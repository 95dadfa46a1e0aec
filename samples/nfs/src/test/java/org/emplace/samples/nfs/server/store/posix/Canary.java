// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.posix;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A small tree outside of an export. No test may change or even read it. */
final class Canary {
    /** The content of its files. */
    static final String CONTENT = "canary";

    /** Its names are those that clients use in the export. */
    private static final List<String> FILES = List.of("f0", "f1", "d0/f0", "d0/f1", "d1/f2");

    final Path directory;
    private final List<Map<String, Object>> before;

    Canary(Path directory) throws IOException {
        this.directory = directory;
        Files.createDirectories(directory.resolve("d0"));
        Files.createDirectories(directory.resolve("d1"));
        for (String file : FILES) {
            Path path = directory.resolve(file);
            Files.writeString(path, CONTENT, StandardCharsets.UTF_8);
            Files.setAttribute(path, "unix:mode", 0666);
            // Older than the last change, so that every file system records the first read.
            Files.setAttribute(path, "lastAccessTime", FileTime.from(Instant.ofEpochSecond(1_000_000)));
        }
        for (String name : new String[] {"", "d0", "d1"}) {
            Files.setAttribute(directory.resolve(name), "unix:mode", 0777);
        }
        this.before = attributes();
    }

    private List<Map<String, Object>> attributes() throws IOException {
        List<Map<String, Object>> found = new ArrayList<>();
        for (String file : FILES) {
            found.add(Files.readAttributes(
                    directory.resolve(file),
                    "unix:ino,mode,uid,gid,nlink,size,lastAccessTime,lastModifiedTime,ctime",
                    LinkOption.NOFOLLOW_LINKS));
        }
        for (String name : new String[] {"", "d0", "d1"}) {
            found.add(Files.readAttributes(
                    directory.resolve(name),
                    "unix:ino,mode,uid,gid,nlink,size,lastModifiedTime,ctime",
                    LinkOption.NOFOLLOW_LINKS));
        }
        return found;
    }

    /** Asserts that bytes, modes, owners and times have not changed. */
    void assertUntouched() throws IOException {
        assertThat(attributes()).isEqualTo(before);
        for (String file : FILES) {
            assertThat(directory.resolve(file)).hasContent(CONTENT);
        }
        try (Stream<Path> all = Files.walk(directory)) {
            assertThat(all.filter(Files::isRegularFile)).hasSize(FILES.size());
        }
    }
}
