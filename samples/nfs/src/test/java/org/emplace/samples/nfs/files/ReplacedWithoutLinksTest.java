// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.emplace.samples.nfs.client.command.ServedExport;
import org.emplace.samples.nfs.server.LogRecords;
import org.emplace.samples.nfs.server.StoreKind;
import org.emplace.samples.nfs.server.export.Exports.StoreOpener;
import org.emplace.samples.nfs.server.store.FileName;
import org.emplace.samples.nfs.server.store.Store;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.samples.nfs.server.store.StoreException.Failure;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Open files are replaced on a server without links: the old file must lose its name before the new one can have it. */
@Timeout(120)
class ReplacedWithoutLinksTest {
    /** What happens before the server renames a file of the name {@code slow}, or refuses to rename {@code cannot be renamed}. */
    private AutoCloseable whenRenamed = () -> {};

    @TempDir
    private Path temporary;

    private ServedExport served;
    private FileSystem nfs;
    private Path file;
    private Path other;

    @BeforeEach
    void serve() throws Exception {
        StoreOpener real = StoreKind.ofThisSystem().opener(1);
        served = new ServedExport(
                "tcp", temporary, (directory, deferred) -> withoutLinks(real.open(directory, deferred)));
        nfs = FileSystems.newFileSystem(served.fileSystem(), Map.of());
        file = Files.writeString(nfs.getPath("/f"), "kept");
        other = Files.writeString(nfs.getPath("/cannot be renamed"), "new");
    }

    @AfterEach
    void close() throws Exception {
        try {
            nfs.close();
        } finally {
            served.close();
        }
    }

    @Test
    void anOpenFileWhoseReplacementFailsHasItsNameAgain() throws Exception {
        try (FileChannel channel = FileChannel.open(file)) {
            assertReplacementFails();
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

    private void assertReplacementFails() {
        assertThatThrownBy(() -> Files.move(other, file, StandardCopyOption.ATOMIC_MOVE))
                .isInstanceOf(IOException.class);
    }

    @Test
    void aFileWhoseReplacementFailsIsKeptIfItIsClosedMeanwhile() throws Exception {
        try (FileChannel channel = FileChannel.open(file)) {
            whenRenamed = channel;
            assertReplacementFails();
            assertThat(channel.isOpen()).isFalse();
        }
        assertThat(served.directory.resolve("f")).hasContent("kept");
    }

    @Test
    void nothingIsCreatedInThePlaceOfAFileWhoseReplacementFails() throws Exception {
        ExecutorService threads = Executors.newSingleThreadExecutor();
        FutureTask<Path> creating = new FutureTask<>(() -> Files.createFile(file));
        whenRenamed = () -> {
            threads.execute(creating);
            awaitAWhile(creating);
        };
        try (FileChannel channel = FileChannel.open(file)) {
            assertReplacementFails();
            assertThatThrownBy(creating::get).hasCauseInstanceOf(FileAlreadyExistsException.class);
            assertThat(channel.size()).isEqualTo(4);
        } finally {
            threads.shutdownNow();
        }
        assertThat(served.directory.resolve("f")).hasContent("kept");
    }

    /** Somebody else has taken it. */
    @Test
    void aFileThatCannotHaveItsNameAgainIsInTheLog() throws Exception {
        whenRenamed = () -> Files.writeString(served.directory.resolve("f"), "somebody's");
        try (LogRecords log = new LogRecords("org.emplace.samples.nfs.client.files");
                FileChannel channel = FileChannel.open(file)) {
            assertReplacementFails();
            assertThat(channel.size()).isEqualTo(4);
            assertThat(log.all()).anyMatch(each -> each.getMessage().startsWith("'f' is left under the name .nfs"));
        }
        assertThat(served.directory.resolve("f")).hasContent("somebody's");
        try (Stream<Path> files = Files.list(served.directory)) {
            assertThat(files.filter(each -> each.getFileName().toString().startsWith(".nfs")))
                    .singleElement(InstanceOfAssertFactories.PATH)
                    .hasContent("kept");
        }
    }

    @Test
    void aFileThatAnotherClientRemovesMeanwhileIsNotInTheLog() throws Exception {
        whenRenamed = () -> {
            try (DirectoryStream<Path> hidden = Files.newDirectoryStream(served.directory, ".nfs*")) {
                Files.delete(hidden.iterator().next());
            }
        };
        try (LogRecords log = new LogRecords("org.emplace.samples.nfs.client.files");
                FileChannel channel = FileChannel.open(file)) {
            assertReplacementFails();
            assertThat(channel.isOpen()).isTrue();
            assertThat(log.all()).noneMatch(each -> each.getMessage().contains("is left under the name"));
        }
        assertThat(served.directory.toFile().list()).containsExactly("cannot be renamed");
    }

    @Test
    void aFileWhoseReplacementIsInterruptedHasAName() throws Exception {
        Thread replacing = Thread.currentThread();
        whenRenamed = () -> {
            replacing.interrupt();
            TimeUnit.MILLISECONDS.sleep(100); // for the client to have noticed
        };
        try (FileChannel channel = FileChannel.open(file)) {
            assertReplacementFails();
            Thread.interrupted();
            assertThat(channel.size()).isEqualTo(4);
        }
        assertThat(served.directory.resolve("f")).hasContent("kept");
    }

    /** What other threads do with a file that is being replaced. */
    private enum Use {
        READ {
            @Override
            void of(Path file) throws IOException {
                assertThat(Files.readString(file)).isEqualTo("new");
            }
        },
        LOOK {
            @Override
            void of(Path file) throws IOException {
                assertThat(Files.exists(file)).isTrue();
                assertThat(Files.size(file)).isEqualTo(3);
            }
        },
        APPEND {
            @Override
            void of(Path file) throws IOException {
                Files.writeString(file, "!", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
                assertThat(Files.readString(file)).isEqualTo("new!");
            }
        },
        CREATE {
            @Override
            void of(Path file) {
                assertThatThrownBy(() -> Files.createFile(file)).isInstanceOf(FileAlreadyExistsException.class);
            }
        },
        LINK {
            @Override
            void of(Path file) {
                assertThatThrownBy(() -> Files.createSymbolicLink(file, file.resolveSibling("x")))
                        .isInstanceOf(FileAlreadyExistsException.class);
            }
        },
        RENAME {
            @Override
            void of(Path file) throws IOException {
                Files.move(file, file.resolveSibling("moved"), StandardCopyOption.ATOMIC_MOVE);
                assertThat(Files.readString(file.resolveSibling("moved"))).isEqualTo("new");
            }
        },
        REMOVE {
            @Override
            void of(Path file) throws IOException {
                Files.delete(file);
                assertThat(file).doesNotExist();
            }
        };

        abstract void of(Path file) throws IOException;
    }

    @ParameterizedTest
    @EnumSource
    void aFileThatIsBeingReplacedIsThereForItsProgram(Use use) throws Exception {
        ExecutorService threads = Executors.newSingleThreadExecutor();
        FutureTask<Path> using = new FutureTask<>(() -> {
            use.of(file);
            return file;
        });
        Path slow = Files.writeString(nfs.getPath("/slow"), "new");
        whenRenamed = () -> {
            threads.execute(using);
            awaitAWhile(using);
        };
        try (FileChannel channel = FileChannel.open(file)) {
            Files.move(slow, file, StandardCopyOption.ATOMIC_MOVE);
            assertThat(using.get()).isEqualTo(file);
            assertThat(channel.size()).isEqualTo(4);
        } finally {
            threads.shutdownNow();
        }
    }

    private static void awaitAWhile(FutureTask<?> task) throws Exception {
        try {
            task.get(500, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            // It waits for what waits here.
        }
    }

    private Store withoutLinks(Store store) {
        return (Store) Proxy.newProxyInstance(
                Store.class.getClassLoader(), new Class<?>[] {Store.class}, (proxy, method, arguments) -> {
                    boolean renames = method.getName().equals("rename");
                    boolean cannot = renames && Arrays.asList(arguments).contains(FileName.of("cannot be renamed"));
                    if (cannot || (renames && Arrays.asList(arguments).contains(FileName.of("slow")))) {
                        whenRenamed.close();
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
}
