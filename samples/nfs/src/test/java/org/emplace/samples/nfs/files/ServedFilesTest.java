// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.emplace.samples.nfs.client.command.ServedExport.randomBytes;

import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.emplace.rpc.CallObserver;
import org.emplace.samples.nfs.client.command.ServedExport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Behavior that depends on a server: how calls end, how many there are, and what other programs see. */
class ServedFilesTest {
    private static final int SIZE = 8 << 20;

    private final Map<String, Integer> calls = new ConcurrentHashMap<>();
    private final AtomicInteger failures = new AtomicInteger();
    private final CallObserver observer = report -> {
        calls.merge(report.procedure().name(), 1, Integer::sum);
        failures.addAndGet(report.succeeded() ? 0 : 1);
    };

    @TempDir
    private Path temporary = Path.of("");

    private FileSystem open(ServedExport served) throws Exception {
        return FileSystems.newFileSystem(served.fileSystem(), Map.of("observer", observer));
    }

    @ParameterizedTest
    @ValueSource(strings = {"rdma", "tcp"})
    void randomReadsFailNoCall(String protocol) throws Exception {
        byte[] contents = randomBytes(SIZE);
        try (ServedExport served = new ServedExport(protocol, temporary)) {
            Files.write(served.directory.resolve("f"), contents);
            try (FileSystem nfs = open(served);
                    FileChannel channel = FileChannel.open(nfs.getPath("/f"))) {
                Random random = new Random(1);
                ByteBuffer into = ByteBuffer.allocate(10_000);
                for (int i = 0; i < 50; i++) {
                    int position = random.nextInt(SIZE - 20_000);
                    channel.position(position);
                    for (int at = position; at < position + 20_000; at += into.capacity()) {
                        assertThat(channel.read(into.clear())).isEqualTo(into.capacity());
                        assertThat(into.flip()).isEqualTo(ByteBuffer.wrap(contents, at, into.capacity()));
                    }
                }
                assertThat(failures).hasValue(0);
            }
        }
    }

    @Test
    void directoryThatWasCreatedHereIsNotLookedUp() throws Exception {
        try (ServedExport served = new ServedExport("tcp", temporary);
                FileSystem nfs = open(served)) {
            Path inner = Files.createDirectories(nfs.getPath("/outer/inner"));
            calls.clear();

            Files.createDirectory(inner.resolve("a"));
            Files.createDirectory(inner.resolve("a/b"));

            assertThat(calls).containsOnly(Map.entry("NFSPROC3_MKDIR", 2));
            assertThat(served.directory.resolve("outer/inner/a/b")).isDirectory();
            Files.move(inner, nfs.getPath("/elsewhere"));
            assertThatThrownBy(() -> Files.createDirectory(inner.resolve("a/c")))
                    .isInstanceOf(NoSuchFileException.class);
        }
    }

    @Test
    void openingAFileToReplaceItsContentsTakesThreeCalls() throws Exception {
        try (ServedExport served = new ServedExport("tcp", temporary);
                FileSystem nfs = open(served)) {
            Path there = Files.writeString(served.directory.resolve("f"), "contents");
            calls.clear();
            Files.newOutputStream(nfs.getPath("/f")).close();
            assertThat(calls)
                    .containsOnly(
                            Map.entry("NFSPROC3_LOOKUP", 1),
                            Map.entry("NFSPROC3_ACCESS", 1),
                            Map.entry("NFSPROC3_SETATTR", 1));
            assertThat(there).isEmptyFile();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"rdma", "tcp"})
    void largeDirectBuffersArriveAndAreStableWhenWritten(String protocol) throws Exception {
        byte[] contents = randomBytes(SIZE + 5);
        try (ServedExport served = new ServedExport(protocol, temporary);
                FileSystem nfs = open(served)) {
            try (FileChannel channel = FileChannel.open(
                    nfs.getPath("/f"), StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                assertThat(channel.write(ByteBuffer.allocateDirect(SIZE + 5)
                                .put(contents)
                                .flip()))
                        .isEqualTo(SIZE + 5);
                assertThat(served.directory.resolve("f")).hasBinaryContent(contents);
                ByteBuffer back = ByteBuffer.allocateDirect(SIZE + 5);
                assertThat(channel.read(back, 0)).isEqualTo(SIZE + 5);
                assertThat(back.flip()).isEqualTo(ByteBuffer.wrap(contents));
            }
        }
    }

    @Test
    void writesOfAChannelAreSeenByTheRestOfTheProgramAndByOthersAfterForce() throws Exception {
        try (ServedExport served = new ServedExport("tcp", temporary);
                FileSystem nfs = open(served)) {
            Path file = nfs.getPath("/f");
            try (FileChannel channel =
                    FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                channel.write(ByteBuffer.wrap(new byte[100]));
                assertThat(listedSize(nfs)).isEqualTo(100);
                assertThat(Files.size(file)).isEqualTo(100);
                assertThat(Files.readAllBytes(file)).hasSize(100);
                channel.write(ByteBuffer.wrap(new byte[100]));
                channel.force(false);
                assertThat(served.directory.resolve("f")).hasSize(200);
            }
        }
    }

    @Test
    void aTreeIsWalkedWithOneListingForEachDirectory() throws Exception {
        try (ServedExport served = new ServedExport("tcp", temporary)) {
            Path deep = Files.createDirectories(served.directory.resolve("a/b"));
            for (int i = 0; i < 50; i++) {
                Files.createFile(deep.resolve("f" + i));
            }
            try (FileSystem nfs = open(served)) {
                try (var files = Files.walk(nfs.getPath("/"))) {
                    assertThat(files).hasSize(53);
                }
                assertThat(calls).containsEntry("NFSPROC3_READDIRPLUS", 3);
                assertThat(calls.getOrDefault("NFSPROC3_LOOKUP", 0)).isLessThan(10);
            }
        }
    }

    @Test
    void anotherProgramsChangesAreSeen() throws Exception {
        try (ServedExport served = new ServedExport("tcp", temporary);
                FileSystem nfs = open(served)) {
            Path there = served.directory.resolve("a/f");
            Files.createDirectory(there.getParent());
            Files.writeString(there, "one");
            Path here = nfs.getPath("/a/f");
            assertThat(Files.readString(here)).isEqualTo("one");
            Files.writeString(there, "second");
            Files.setLastModifiedTime(there, FileTime.fromMillis(1_000));
            assertThat(Files.readString(here)).isEqualTo("second");
            assertThat(Files.getLastModifiedTime(here)).isEqualTo(FileTime.fromMillis(1_000));
            Files.delete(there);
            Files.delete(there.getParent());
            assertThatThrownBy(() -> Files.size(here)).isInstanceOf(NoSuchFileException.class);
            Files.createDirectory(there.getParent());
            Files.writeString(there, "again");
            assertThat(Files.readString(here)).isEqualTo("again");
        }
    }

    @Test
    void absoluteLinksAreResolvedByTheServersPaths() throws Exception {
        try (ServedExport served = new ServedExport("tcp", temporary);
                FileSystem nfs = open(served)) {
            Path there = Files.createDirectory(served.directory.resolve("d"));
            Files.writeString(there.resolve("f"), "contents");
            Files.createSymbolicLink(there.resolve("made-there"), there);
            Path link = nfs.getPath("/d/made-there");
            assertThat(Files.readString(link.resolve("f"))).isEqualTo("contents");
            assertThat(link.toRealPath()).isEqualTo(nfs.getPath("/d"));
            assertThat(Files.readSymbolicLink(link)).isEqualTo(nfs.getPath("/d"));
            Path root = Files.createSymbolicLink(nfs.getPath("/root"), nfs.getPath("/"));
            FileTime now = FileTime.fromMillis(1_000_000_000_000L);
            Files.setLastModifiedTime(served.directory, now);
            assertThat(Files.getLastModifiedTime(root)).isEqualTo(now);
            Path here = Files.createSymbolicLink(nfs.getPath("/here"), nfs.getPath("/d/f"));
            assertThat(Files.readString(here)).isEqualTo("contents");
            assertThat(Files.readSymbolicLink(served.directory.resolve("here"))).isEqualTo(there.resolve("f"));
        }
    }

    @Test
    void deleteOnCloseRejectsLinks() throws Exception {
        try (ServedExport served = new ServedExport("tcp", temporary);
                FileSystem nfs = open(served)) {
            Files.writeString(nfs.getPath("/f"), "contents");
            Path link = Files.createSymbolicLink(nfs.getPath("/link"), nfs.getPath("f"));
            assertThatThrownBy(() -> FileChannel.open(link, StandardOpenOption.DELETE_ON_CLOSE))
                    .isInstanceOf(FileSystemException.class);
            assertThat(Files.readString(link)).isEqualTo("contents");
        }
    }

    /** The size of the only file. */
    private static long listedSize(FileSystem nfs) throws Exception {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(nfs.getPath("/"))) {
            return Files.size(entries.iterator().next());
        }
    }
}
