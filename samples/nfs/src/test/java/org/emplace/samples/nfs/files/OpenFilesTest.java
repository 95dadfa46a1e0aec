// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.OutputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
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
import org.emplace.samples.nfs.server.export.Exports.StoreOpener;
import org.emplace.samples.nfs.server.store.Failure;
import org.emplace.samples.nfs.server.store.FileName;
import org.emplace.samples.nfs.server.store.Store;
import org.emplace.samples.nfs.server.store.StoreException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that are open while they are appended to, replaced or removed, by this program and by others. */
@Timeout(120)
class OpenFilesTest {
    private static final int SIZE = 3_000_000;
    private static final int APPENDERS = 4;
    private static final int RECORDS = 100;

    /** What happens while the server refuses a RENAME. */
    private AutoCloseable whenRefused = () -> {};

    @TempDir
    private Path temporary;

    /** Some by channels that stay open, some by one for each record, some by direct buffers in place, one by a stream. */
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
                            .filter(line -> line.length() == 6))
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
                byte[] record = "%d %04d%n".formatted(number, i).getBytes(StandardCharsets.US_ASCII);
                switch (number % 4) {
                    case 0 -> channel.write(ByteBuffer.wrap(record));
                    case 1 -> Files.write(file, record, StandardOpenOption.APPEND);
                    case 2 ->
                        stable.write(ByteBuffer.allocateDirect(record.length)
                                .put(record)
                                .flip());
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

    private static void awaitAWhile(CountDownLatch latch) {
        try {
            latch.await(500, TimeUnit.MILLISECONDS);
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
                    assertThat(channel.size()).isEqualTo(3);
                    channel.read(into, 0);
                }
            }
            default -> {
                try (FileChannel channel = FileChannel.open(entry)) {
                    channel.read(into);
                }
            }
        }
        return new String(into.array(), 0, into.position(), StandardCharsets.US_ASCII);
    }

    /** Without links the old file must lose its name before the new one can have it. */
    @Test
    void anOpenFileWhoseReplacementFailsHasItsNameAgain() throws Exception {
        try (ServedExport served = servedWithoutLinks();
                FileSystem nfs = FileSystems.newFileSystem(served.fileSystem(), Map.of())) {
            Path file = Files.writeString(nfs.getPath("/f"), "kept");
            Path other = Files.writeString(nfs.getPath("/cannot be renamed"), "new");
            try (FileChannel channel = FileChannel.open(file)) {
                assertThatThrownBy(() -> Files.move(other, file, StandardCopyOption.ATOMIC_MOVE))
                        .isInstanceOf(FileSystemException.class);
                assertThat(channel.size()).isEqualTo(4);
            }
            assertThat(served.directory.resolve("f")).hasContent("kept");
            try (FileChannel channel = FileChannel.open(file)) {
                Files.move(Files.writeString(nfs.getPath("/good"), "new"), file, StandardCopyOption.ATOMIC_MOVE);
                assertThat(channel.size()).isEqualTo(4);
            }
            assertThat(served.directory.resolve("f")).hasContent("new");
            assertThat(served.directory.toFile().list()).containsExactlyInAnyOrder("f", "cannot be renamed");
        }
    }

    @Test
    void aFileWhoseReplacementFailsIsKeptIfItIsClosedMeanwhile() throws Exception {
        try (ServedExport served = servedWithoutLinks();
                FileSystem nfs = FileSystems.newFileSystem(served.fileSystem(), Map.of())) {
            Path file = Files.writeString(nfs.getPath("/f"), "kept");
            Path other = Files.writeString(nfs.getPath("/cannot be renamed"), "new");
            try (FileChannel channel = FileChannel.open(file)) {
                whenRefused = channel;
                assertThatThrownBy(() -> Files.move(other, file, StandardCopyOption.ATOMIC_MOVE))
                        .isInstanceOf(FileSystemException.class);
                assertThat(channel.isOpen()).isFalse();
            }
            assertThat(served.directory.resolve("f")).hasContent("kept");
        }
    }

    private ServedExport servedWithoutLinks() throws Exception {
        StoreOpener real = StoreKind.ofThisSystem().opener(1);
        return new ServedExport(
                "tcp", temporary, (directory, deferred) -> withoutLinks(real.open(directory, deferred)));
    }

    private Store withoutLinks(Store store) {
        return (Store) Proxy.newProxyInstance(
                Store.class.getClassLoader(), new Class<?>[] {Store.class}, (proxy, method, arguments) -> {
                    boolean cannot = method.getName().equals("rename")
                            && Arrays.asList(arguments).contains(FileName.of("cannot be renamed"));
                    if (cannot) {
                        whenRefused.close();
                    }
                    if (cannot || method.getName().equals("link")) {
                        throw new StoreException(cannot ? Failure.IO : Failure.NOTSUPP, "cannot");
                    }
                    try {
                        return method.invoke(store, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"rdma", "tcp"})
    void aFileThatTwoFileSystemsShowIsNotReplacedByItself(String protocol) throws Exception {
        try (ServedExport served = new ServedExport(protocol, temporary);
                FileSystem nfs = FileSystems.newFileSystem(served.fileSystem(), Map.of());
                FileSystem same = FileSystems.newFileSystem(
                        URI.create(served.fileSystem().toString().replace("127.0.0.1", "localhost")), Map.of())) {
            Path file = Files.writeString(nfs.getPath("/f"), "kept");
            Files.createLink(nfs.getPath("/link"), file);
            Files.writeString(nfs.getPath("/other"), "old");
            for (String name : new String[] {"/f", "/link"}) {
                Path target = same.getPath(name);
                assertThatThrownBy(() -> Files.copy(file, target, StandardCopyOption.REPLACE_EXISTING))
                        .isInstanceOf(FileSystemException.class)
                        .hasMessageContaining("may be the same");
                assertThatThrownBy(() -> Files.move(file, target, StandardCopyOption.REPLACE_EXISTING))
                        .isInstanceOf(FileSystemException.class)
                        .hasMessageContaining("may be the same");
                assertThat(Files.isSameFile(file, target)).isTrue();
                assertThat(served.directory.resolve(name.substring(1))).hasContent("kept");
            }
            assertThat(Files.isSameFile(file, same.getPath("/other"))).isFalse();
            Files.move(file, same.getPath("/other"), StandardCopyOption.REPLACE_EXISTING);
            assertThat(served.directory.resolve("other")).hasContent("kept");
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
