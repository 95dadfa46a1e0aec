// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.emplace.samples.nfs.client.command.FailingStores;
import org.emplace.samples.nfs.client.command.ServedExport;
import org.emplace.samples.nfs.server.StoreKind;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.samples.nfs.server.store.StoreException.Failure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that are open while they are appended to, replaced or removed, by this program and by others. */
@Timeout(120)
class OpenFilesTest {
    private static final int SIZE = 3_000_000;
    private static final int APPENDERS = 7;
    private static final int RECORDS = 100;

    @TempDir
    private Path temporary;

    /** By channels that stay open, by one for each record, by direct buffers in place, by streams, at positions, which have no effect, and by transfers. */
    @ParameterizedTest
    @ValueSource(strings = {"rdma", "tcp"})
    void everyAppendOfOneProgramArrives(String protocol) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(2 * APPENDERS);
        try (ServedExport served = new ServedExport(protocol, temporary);
                FileSystem nfs = FileSystems.newFileSystem(served.fileSystem(), Map.of())) {
            Path file = Files.createFile(nfs.getPath("/log"));
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < 2 * APPENDERS; i++) {
                int number = i;
                all.add(threads.submit(() -> {
                    append(file, number);
                    return null;
                }));
            }
            for (Future<?> each : all) {
                each.get();
            }
            assertThat(Files.readAllLines(served.directory.resolve("log")).stream()
                            .distinct()
                            .filter(line -> line.length() == 7))
                    .hasSize(2 * APPENDERS * RECORDS);
        } finally {
            threads.shutdownNow();
        }
    }

    private static void append(Path file, int number) throws Exception {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.APPEND);
                FileChannel stable = FileChannel.open(file, StandardOpenOption.APPEND, StandardOpenOption.DSYNC);
                OutputStream stream = Files.newOutputStream(file, StandardOpenOption.APPEND)) {
            for (int i = 0; i < RECORDS; i++) {
                byte[] record = "%02d %04d%n".formatted(number, i).getBytes(StandardCharsets.US_ASCII);
                switch (number % APPENDERS) {
                    case 0 -> channel.write(ByteBuffer.wrap(record));
                    case 1 -> Files.write(file, record, StandardOpenOption.APPEND);
                    case 2 ->
                        stable.write(ByteBuffer.allocateDirect(record.length)
                                .put(record)
                                .flip());
                    case 3 -> channel.write(ByteBuffer.wrap(record), 0);
                    case 4 ->
                        channel.transferFrom(Channels.newChannel(new ByteArrayInputStream(record)), 0, record.length);
                    case 5 ->
                        channel.transferFrom(
                                new ModelBytes.Source(ByteBuffer.wrap(record), Long.MAX_VALUE), 0, record.length);
                    default -> stream.write(record);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"rdma", "tcp"})
    void anOpenFileThatItsProgramReplacesOrRemovesStaysReadable(String protocol) throws Exception {
        try (ServedExport served = new ServedExport(protocol, temporary);
                FileSystem nfs = FileSystems.newFileSystem(served.fileSystem(), Map.of())) {
            Path file = nfs.getPath("/f");
            for (int way = 0; way < 4; way++) {
                byte[] contents = ServedExport.randomBytes(SIZE + way);
                Files.write(file, contents);
                try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                    channel.read(ByteBuffer.allocate(10));
                    Path opened = way == 3 ? Files.move(file, nfs.getPath("/renamed")) : file;
                    if (way == 0) {
                        Files.delete(opened);
                    } else {
                        Files.writeString(nfs.getPath("/new"), "new");
                        Files.move(
                                nfs.getPath("/new"),
                                opened,
                                way == 1
                                        ? new StandardCopyOption[] {StandardCopyOption.REPLACE_EXISTING}
                                        : new StandardCopyOption[] {StandardCopyOption.ATOMIC_MOVE});
                        assertThat(Files.readString(opened)).isEqualTo("new");
                    }
                    assertThat(Files.exists(opened)).isEqualTo(way != 0);
                    channel.write(ByteBuffer.wrap(contents, 0, 5), 0);
                    channel.force(true);
                    ByteBuffer read = ByteBuffer.allocate(SIZE + 10);
                    channel.position(0);
                    while (channel.read(read) >= 0) {
                        // until the end
                    }
                    assertThat(read.flip()).isEqualTo(ByteBuffer.wrap(contents));
                }
            }
            try (DirectoryStream<Path> hidden = Files.newDirectoryStream(served.directory, ".nfs*")) {
                assertThat(hidden).isEmpty();
            }
        }
    }

    /** The client has found out that nobody has the file open, and replaces or removes it. */
    @ParameterizedTest
    @ValueSource(strings = {"rename", "remove"})
    void aFileThatIsOpenedWhileItIsReplacedOrRemovedStaysReadable(String operation) throws Exception {
        FailingStores stores = new FailingStores();
        ExecutorService threads = Executors.newSingleThreadExecutor();
        try (ServedExport served = new ServedExport("tcp", temporary, stores.opener());
                FileSystem nfs = FileSystems.newFileSystem(served.fileSystem(), Map.of())) {
            Path file = Files.writeString(nfs.getPath("/f"), "old");
            Path other = Files.writeString(nfs.getPath("/g"), "new");
            CountDownLatch read = new CountDownLatch(1);
            FutureTask<FileChannel> opening = new FutureTask<>(() -> {
                FileChannel channel = FileChannel.open(file);
                channel.read(ByteBuffer.allocate(1), 0);
                read.countDown();
                return channel;
            });
            stores.begin(operation, 1, begun -> {
                threads.execute(opening);
                awaitAWhile(read);
            });
            if (operation.equals("rename")) {
                Files.move(other, file, StandardCopyOption.ATOMIC_MOVE);
            } else {
                Files.delete(file);
            }
            Throwable failure = catchThrowable(() -> {
                try (FileChannel channel = opening.get()) {
                    assertThat(channel.size()).isEqualTo(3);
                }
            });
            assertThat(failure == null || failure.getCause() instanceof NoSuchFileException)
                    .as("%s", failure)
                    .isTrue();
        } finally {
            threads.shutdownNow();
        }
    }

    /** The client looks a file up by one name, and gives it another before it is known to be open. */
    @Test
    void aFileThatIsOpenedWhileItIsRenamedIsKeptUnderItsNewName() throws Exception {
        FailingStores stores = new FailingStores();
        ExecutorService threads = Executors.newSingleThreadExecutor();
        try (ServedExport served = new ServedExport("tcp", temporary, stores.opener());
                FileSystem nfs = FileSystems.newFileSystem(served.fileSystem(), Map.of())) {
            Path file = Files.writeString(nfs.getPath("/f"), "kept");
            Path renamed = nfs.getPath("/g");
            CountDownLatch moved = new CountDownLatch(1);
            stores.begin("access", 1, begun -> {
                threads.execute(() -> {
                    assertThatCode(() -> Files.move(file, renamed)).doesNotThrowAnyException();
                    moved.countDown();
                });
                await(moved, 10_000);
            });
            try (FileChannel channel = FileChannel.open(file)) {
                assertThat(moved.getCount()).isZero();
                Files.delete(renamed);
                assertThat(channel.size()).isEqualTo(4);
            }
            assertThat(served.directory).isEmptyDirectory();
        } finally {
            threads.shutdownNow();
        }
    }

    /** A removal that was begun for another client's file would meet the one that is created in its place. */
    @Test
    void aFileThatIsCreatedWhileItsNameIsRemovedIsThere() throws Exception {
        FailingStores stores = new FailingStores();
        ExecutorService threads = Executors.newSingleThreadExecutor();
        try (ServedExport served = new ServedExport("tcp", temporary, stores.opener());
                FileSystem nfs = FileSystems.newFileSystem(served.fileSystem(), Map.of())) {
            File there = Files.writeString(served.directory.resolve("f"), "old").toFile();
            Path file = nfs.getPath("/f");
            CountDownLatch removing = new CountDownLatch(1);
            CountDownLatch written = new CountDownLatch(1);
            stores.begin("remove", 1, begun -> {
                assertThat(there.delete()).isTrue();
                removing.countDown();
                awaitAWhile(written);
            });
            Future<?> removal = threads.submit(() -> catchThrowable(() -> Files.delete(file)));
            await(removing, 10_000);
            Files.writeString(file, "new");
            written.countDown();
            removal.get();
            assertThat(removing.getCount()).isZero();
            assertThat(there).hasContent("new");
        } finally {
            threads.shutdownNow();
        }
    }

    /** It has been replaced, and its last channel, which has kept it until now, is being closed. */
    @Test
    void aFileThatIsOpenedWhileItsHiddenNameIsRemovedIsLookedUpAgain() throws Exception {
        FailingStores stores = new FailingStores();
        ExecutorService threads = Executors.newSingleThreadExecutor();
        try (ServedExport served = new ServedExport("tcp", temporary, stores.opener());
                FileSystem nfs = FileSystems.newFileSystem(served.fileSystem(), Map.of())) {
            Path file = Files.writeString(nfs.getPath("/f"), "old");
            Path other = Files.writeString(nfs.getPath("/g"), "newer");
            FileChannel last = FileChannel.open(file);
            CountDownLatch removing = new CountDownLatch(1);
            CountDownLatch opened = new CountDownLatch(1);
            stores.begin("access", 1, begun -> {
                stores.begin("remove", 1, alsoBegun -> {
                    removing.countDown();
                    awaitAWhile(opened);
                });
                threads.execute(() -> assertThatCode(() -> {
                            Files.move(other, file, StandardCopyOption.ATOMIC_MOVE);
                            last.close();
                        })
                        .doesNotThrowAnyException());
                await(removing, 10_000);
            });
            try (FileChannel channel = FileChannel.open(file)) {
                opened.countDown();
                threads.shutdown();
                assertThat(threads.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
                assertThat(removing.getCount()).isZero();
                assertThat(channel.size()).isEqualTo(5);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    /** Waits for what may itself wait for the operation that is held up here. */
    private static void awaitAWhile(CountDownLatch latch) {
        await(latch, 500);
    }

    private static void await(CountDownLatch latch, long millis) {
        try {
            latch.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the server ends
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"rdma", "tcp"})
    void aListedFileThatSomebodyReplacesIsReadAsItIsNow(String protocol) throws Exception {
        try (ServedExport served = new ServedExport(protocol, temporary);
                FileSystem nfs = FileSystems.newFileSystem(served.fileSystem(), Map.of())) {
            Path there = Files.createDirectory(served.directory.resolve("d"));
            for (int way = 0; way < 4; way++) {
                Files.writeString(there.resolve("f"), "old old old");
                Path entry;
                try (DirectoryStream<Path> entries = Files.newDirectoryStream(nfs.getPath("/d"))) {
                    entry = entries.iterator().next();
                }
                if (way == 3) {
                    Files.readAttributes(entry, "*");
                }
                Path other = Files.writeString(served.directory.resolve("other"), "new");
                Files.move(other, there.resolve("f"), StandardCopyOption.ATOMIC_MOVE);
                assertThat(read(entry, way)).as("way %d", way).isEqualTo("new");
            }
        }
    }

    /** Each finds out that it is stale, and one of them looks it up again. */
    @Test
    void aListedFileThatSomebodyReplacesIsReadAsItIsNowByTwoThreads() throws Exception {
        FailingStores stores = new FailingStores();
        ExecutorService threads = Executors.newSingleThreadExecutor();
        try (ServedExport served = new ServedExport("tcp", temporary, stores.opener());
                FileSystem nfs = FileSystems.newFileSystem(served.fileSystem(), Map.of())) {
            Path there = Files.createDirectory(served.directory.resolve("d")).resolve("f");
            Files.writeString(there, "old");
            Path entry;
            try (DirectoryStream<Path> entries = Files.newDirectoryStream(nfs.getPath("/d"))) {
                entry = entries.iterator().next();
            }
            Files.move(
                    Files.writeString(served.directory.resolve("other"), "newer"),
                    there,
                    StandardCopyOption.ATOMIC_MOVE);
            try (FileChannel channel = FileChannel.open(entry)) {
                CountDownLatch read = new CountDownLatch(1);
                FutureTask<Integer> reading = new FutureTask<>(() -> {
                    try {
                        return channel.read(ByteBuffer.allocate(20), 0);
                    } finally {
                        read.countDown();
                    }
                });
                stores.begin("read", 1, begun -> {
                    threads.execute(reading);
                    await(read, 10_000);
                });
                ByteBuffer into = ByteBuffer.allocate(20);
                assertThat(channel.read(into, 0)).isEqualTo(5);
                assertThat(new String(into.array(), 0, 5, StandardCharsets.US_ASCII))
                        .isEqualTo("newer");
                assertThat(reading.get()).isEqualTo(5);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private String read(Path entry, int way) throws Exception {
        ByteBuffer into = ByteBuffer.allocate(20);
        switch (way) {
            case 0 -> {
                return Files.readString(entry);
            }
            case 1 -> {
                Path copy = temporary.resolve("copy");
                Files.copy(entry, copy, StandardCopyOption.REPLACE_EXISTING);
                return Files.readString(copy);
            }
            case 2 -> {
                try (FileChannel channel = FileChannel.open(entry)) {
                    channel.transferTo(0, 0, Channels.newChannel(OutputStream.nullOutputStream()));
                    assertThat(channel.size()).isEqualTo(3);
                    channel.read(into, 0);
                }
            }
            default -> {
                try (FileChannel channel = FileChannel.open(entry)) {
                    channel.read(ByteBuffer.allocate(0));
                    channel.read(into);
                }
            }
        }
        return new String(into.array(), 0, into.position(), StandardCharsets.US_ASCII);
    }

    /** Programs open a directory to force it. */
    @Test
    void anOpenDirectoryIsNotReplacedByAFile() throws Exception {
        try (ServedExport served = new ServedExport("tcp", temporary);
                FileSystem nfs = FileSystems.newFileSystem(served.fileSystem(), Map.of())) {
            Path directory = Files.createDirectory(nfs.getPath("/d"));
            Files.writeString(directory.resolve("in"), "kept");
            Path file = Files.writeString(nfs.getPath("/f"), "new");
            try (FileChannel channel = FileChannel.open(directory)) {
                channel.force(true);
                assertThatThrownBy(() -> Files.move(file, directory, StandardCopyOption.ATOMIC_MOVE))
                        .isInstanceOf(FileSystemException.class);
            }
            assertThat(served.directory.resolve("d/in")).hasContent("kept");
            assertThat(served.directory.resolve("f")).hasContent("new");
        }
    }

    /** By two addresses of a server, or by an export in another. */
    @ParameterizedTest
    @CsvSource({"rdma, 127.0.0.1, localhost", "tcp, 127.0.0.1, localhost", "rdma, /?, /inner/?", "tcp, /?, /inner/?"})
    void aFileThatTwoFileSystemsShowIsNotReplacedByItself(String protocol, String part, String other) throws Exception {
        try (ServedExport served = new ServedExport(
                        protocol, temporary, StoreKind.ofThisSystem().opener(2), "inner");
                FileSystem nfs = FileSystems.newFileSystem(served.fileSystem(), Map.of());
                FileSystem same = FileSystems.newFileSystem(
                        URI.create(served.fileSystem().toString().replace(part, other)), Map.of())) {
            String below = part.equals("/?") ? "/inner" : "";
            Path directory = Path.of(served.directory + below);
            Path file = Files.writeString(nfs.getPath(below + "/f"), "kept");
            Files.createLink(nfs.getPath(below + "/link"), file);
            Files.writeString(nfs.getPath(below + "/other"), "old");
            for (String name : new String[] {"/f", "/link"}) {
                Path target = same.getPath(name);
                assertNotReplaced(file, target);
                assertThatThrownBy(() -> Files.move(file, target, StandardCopyOption.REPLACE_EXISTING))
                        .isInstanceOf(FileSystemException.class)
                        .hasMessageContaining("may be the same");
                assertThat(Files.isSameFile(file, target)).isTrue();
                assertThat(directory.resolve(name.substring(1))).hasContent("kept");
            }
            try (OutputStream out = Files.newOutputStream(same.getPath("/f"), StandardOpenOption.APPEND)) {
                out.write('!');
                assertNotReplaced(file, same.getPath("/f"));
            }
            try (DirectoryStream<Path> entries = Files.newDirectoryStream(file.getParent(), "f")) {
                Path listed = entries.iterator().next();
                Files.writeString(same.getPath("/f"), "later");
                assertNotReplaced(listed, same.getPath("/f"));
            }
            assertThat(directory.resolve("f")).hasContent("later");
            assertThat(Files.isSameFile(file, same.getPath("/other"))).isFalse();
            Files.move(file, same.getPath("/other"), StandardCopyOption.REPLACE_EXISTING);
            assertThat(directory.resolve("other")).hasContent("later");
        }
    }

    private static void assertNotReplaced(Path source, Path target) {
        assertThatThrownBy(() -> Files.copy(source, target, StandardCopyOption.REPLACE_EXISTING))
                .isInstanceOf(FileSystemException.class)
                .hasMessageContaining("may be the same");
    }

    /** A copy removes what is at its target. Somebody replaces the file after it was listed, and again before each operation of the copy. */
    @Test
    void aFileThatIsReplacedMeanwhileIsNotReplacedByItself() throws Exception {
        FailingStores stores = new FailingStores();
        try (ServedExport served = new ServedExport("tcp", temporary, stores.opener());
                FileSystem nfs = FileSystems.newFileSystem(served.fileSystem(), Map.of());
                FileSystem same = byAnotherName(served)) {
            Path there = served.directory.resolve("f");
            for (FileSystem other : List.of(nfs, same)) {
                Path file = other.getPath("/f");
                for (int operation = 0; operation < 12; operation++) {
                    for (int way = 0; way < 3; way++) {
                        replace(there);
                        Path listed;
                        try (DirectoryStream<Path> entries = Files.newDirectoryStream(nfs.getPath("/"), "f")) {
                            listed = entries.iterator().next();
                        }
                        replace(there);
                        stores.begin("", operation, begun -> replace(there));
                        Path source = way == 1 ? file : listed;
                        Path target = way == 1 ? listed : file;
                        boolean moves = way == 2;
                        Throwable failure = catchThrowable(() -> {
                            if (moves) {
                                Files.move(source, target, StandardCopyOption.REPLACE_EXISTING);
                            } else {
                                Files.copy(source, target, StandardCopyOption.REPLACE_EXISTING);
                            }
                        });
                        stores.begin("", 0, begun -> {});
                        assertThat(there)
                                .as("%s, %d, %d", other, operation, way)
                                .hasContent("kept");
                        assertThat(failure == null || operation > 0 || other == same)
                                .isTrue();
                    }
                }
            }
        }
    }

    /** A second file system of the same files, which differs from the first only by the name of the server. */
    private static FileSystem byAnotherName(ServedExport served) throws IOException {
        URI address = URI.create(served.fileSystem().toString().replace("127.0.0.1", "localhost"));
        return FileSystems.newFileSystem(address, Map.of());
    }

    private void replace(Path file) {
        assertThatCode(() -> Files.move(
                        Files.writeString(temporary.resolve("newer"), "kept"), file, StandardCopyOption.ATOMIC_MOVE))
                .doesNotThrowAnyException();
    }

    /** The server has source and target in different file systems, and somebody creates the target meanwhile. */
    @Test
    void aMoveThatBecomesACopyReplacesNothingUnasked() throws Exception {
        FailingStores stores = new FailingStores();
        try (ServedExport served = new ServedExport("tcp", temporary, stores.opener());
                FileSystem nfs = FileSystems.newFileSystem(served.fileSystem(), Map.of())) {
            Path file = Files.writeString(nfs.getPath("/f"), "source");
            Path there = served.directory.resolve("g");
            stores.begin("rename", 1, begun -> {
                assertThatCode(() -> Files.writeString(there, "somebody's")).doesNotThrowAnyException();
                throw new StoreException(Failure.XDEV, "another file system");
            });
            assertThatThrownBy(() -> Files.move(file, nfs.getPath("/g")))
                    .isInstanceOf(FileAlreadyExistsException.class);
            assertThat(there).hasContent("somebody's");
            assertThat(served.directory.resolve("f")).hasContent("source");
        }
    }

    /** Somebody gives another file the name of the copy, which then fails, or that of the source, which is moved. */
    @Test
    void aCopyDeletesNoFileThatHasTheNameOfItsSourceOrTargetByThen() throws Exception {
        FailingStores stores = new FailingStores();
        try (ServedExport served = new ServedExport("tcp", temporary, stores.opener());
                FileSystem nfs = FileSystems.newFileSystem(served.fileSystem(), Map.of());
                FileSystem same = byAnotherName(served)) {
            Path file = Files.writeString(nfs.getPath("/f"), "source");
            Path copy = Files.writeString(temporary.resolve("copy"), "somebody's");
            Path newer = Files.writeString(temporary.resolve("newer"), "newer");
            stores.begin("write", 1, begun -> {
                assertThat(copy.toFile()
                                .renameTo(served.directory.resolve("copy").toFile()))
                        .isTrue();
                throw new StoreException(Failure.NOSPC, "the disk is full");
            });
            assertThatThrownBy(() -> Files.copy(file, nfs.getPath("/copy"))).isInstanceOf(FileSystemException.class);
            assertThat(served.directory.resolve("copy")).hasContent("somebody's");
            stores.begin(
                    "write",
                    1,
                    begun -> assertThat(newer.toFile()
                                    .renameTo(served.directory.resolve("f").toFile()))
                            .isTrue());
            assertThatThrownBy(() -> Files.move(file, same.getPath("/moved")))
                    .hasMessageContaining("Has been replaced in the meantime");
            assertThat(served.directory.resolve("f")).hasContent("newer");
            assertThat(served.directory.resolve("moved")).hasContent("source");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"rdma", "tcp"})
    void whatHasTheNameOfAFileToDeleteOnCloseByThenIsKept(String protocol) throws Exception {
        try (ServedExport served = new ServedExport(protocol, temporary);
                FileSystem nfs = FileSystems.newFileSystem(served.fileSystem(), Map.of())) {
            Path file = nfs.getPath("/temporary");
            FileChannel channel = FileChannel.open(
                    file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE);
            Files.move(file, nfs.getPath("/final"));
            Files.writeString(file, "another");
            channel.close();
            assertThat(served.directory.resolve("temporary")).hasContent("another");
            FileChannel second = FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE);
            second.close();
            assertThat(served.directory.resolve("temporary")).doesNotExist();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"rdma", "tcp"})
    void aThreadThatWasInterruptedBeforeCanWorkWithFilesAsOnTheDefaultFileSystem(String protocol) throws Exception {
        try (ServedExport served = new ServedExport(protocol, temporary);
                FileSystem nfs = FileSystems.newFileSystem(served.fileSystem(), Map.of())) {
            Path file = Files.writeString(nfs.getPath("/f"), "x");
            Thread.currentThread().interrupt();
            boolean exists = Files.exists(file) && Files.isDirectory(nfs.getPath("/"));
            Files.delete(file);
            Files.writeString(nfs.getPath("/g"), "written");
            assertThat(Thread.interrupted()).isTrue();
            assertThat(exists).isTrue();
            assertThat(served.directory.resolve("f")).doesNotExist();
            assertThat(served.directory.resolve("g")).hasContent("written");
        }
    }
}
