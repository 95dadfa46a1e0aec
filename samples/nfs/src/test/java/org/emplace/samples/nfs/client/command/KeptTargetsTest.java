// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.emplace.samples.nfs.client.command.ServedExport.Outcome;
import org.emplace.samples.nfs.server.StoreKind;
import org.emplace.samples.nfs.server.export.Exports.StoreOpener;
import org.emplace.samples.nfs.server.store.FileName;
import org.emplace.samples.nfs.server.store.Store;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.samples.nfs.server.store.StoreException.Failure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands delete and replace only what they have been told to, and have seen. */
@Timeout(120)
class KeptTargetsTest {
    private final FailingStores stores = new FailingStores();

    @TempDir
    private Path temporary;

    @ParameterizedTest
    @CsvSource({"cp, true", "cp, false", "mv, true"})
    void onlyADirectoryIsATargetThatEndsInASlash(String command, boolean remote) throws Exception {
        try (ServedExport served = new ServedExport("tcp", temporary)) {
            Path directory = remote ? served.directory : Files.createDirectory(temporary.resolve("local"));
            String to = remote ? served.url("/") : directory + "/";
            Files.writeString(directory.resolve("file"), "kept");
            Files.writeString(served.directory.resolve("source"), "source");
            Files.createDirectory(served.directory.resolve("tree"));
            Files.createDirectory(directory.resolve("there"));
            for (String target : new String[] {"missing/", "file/", "missing/.", "file/."}) {
                Outcome outcome = served.run(command, served.url("/source"), to + target);
                assertThat(outcome.status()).as(target).isNotZero();
                assertThat(outcome.errors()).containsIgnoringCase("not a directory");
                assertThat(served.directory.resolve("source")).hasContent("source");
                assertThat(directory.resolve("file")).hasContent("kept");
                assertThat(directory.resolve("missing")).doesNotExist();
            }
            if (command.equals("cp")) {
                served.runSilently("cp", "-r", served.url("/tree"), to + "new/");
            } else {
                served.runSilently("mv", served.url("/tree"), to + "new/");
            }
            assertThat(directory.resolve("new")).isDirectory();
            served.runSilently(command, served.url("/source"), to + "there/");
            assertThat(directory.resolve("there/source")).hasContent("source");
        }
    }

    @Test
    void syncDoesNotReplaceAFileThatIsNamedAsADirectory() throws Exception {
        try (ServedExport served = new ServedExport("tcp", temporary)) {
            Path source = Files.createDirectory(temporary.resolve("tree"));
            Files.writeString(served.directory.resolve("file"), "kept");
            assertThat(served.run("sync", "--delete", source.toString(), served.url("/file/"))
                            .status())
                    .isNotZero();
            assertThat(served.directory.resolve("file")).hasContent("kept");
        }
    }

    /** A target that ignores case lists by another name what a name of the source leads to. */
    @Test
    void syncDeletesNothingThatItHasJustCopiedUnderAnotherSpelling() throws Exception {
        try (ServedExport served = new ServedExport("tcp", temporary, ignoringCase())) {
            Path source = Files.createDirectories(temporary.resolve("tree"));
            Files.createDirectory(source.resolve("Docs"));
            Files.writeString(source.resolve("README"), "new");
            Files.writeString(source.resolve("Docs/Guide"), "new");
            Path target = Files.createDirectories(served.directory.resolve("tree"));
            Files.createDirectory(target.resolve("docs"));
            for (String name : new String[] {"readme", "docs/guide", "gone"}) {
                Files.writeString(target.resolve(name), "old");
            }
            for (int i = 0; i < 2; i++) {
                served.runSilently("sync", "--delete", source.toString(), served.url("/tree"));
                assertThat(target.resolve("readme")).hasContent("new");
                assertThat(target.resolve("docs/guide")).hasContent("new");
                assertThat(target.resolve("gone")).doesNotExist();
            }
        }
    }

    private static StoreOpener ignoringCase() throws IOException {
        StoreOpener real = StoreKind.ofThisSystem().opener(1);
        return (directory, deferred) -> ignoringCase(real.open(directory, deferred));
    }

    private static Store ignoringCase(Store store) {
        return (Store) Proxy.newProxyInstance(
                Store.class.getClassLoader(), new Class<?>[] {Store.class}, (proxy, method, arguments) -> {
                    Object[] lowered = arguments == null
                            ? new Object[0]
                            : Arrays.stream(arguments)
                                    .map(each -> each instanceof FileName name
                                            ? FileName.of(name.toString().toLowerCase(Locale.ROOT))
                                            : each)
                                    .toArray();
                    try {
                        return method.invoke(store, lowered);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @Test
    void syncDeletesOnlyTheFilesThatItHasSeen() throws Exception {
        try (ServedExport served = new ServedExport("tcp", temporary, stores.opener())) {
            Path source = Files.createDirectory(temporary.resolve("tree"));
            Files.writeString(source.resolve("f"), "new");
            Path target = Files.createDirectory(served.directory.resolve("t"));
            Files.writeString(target.resolve("gone"), "old");
            Files.writeString(target.resolve("replaced"), "old");
            // When the copied file gets its name, the target has been listed.
            stores.begin("rename", 1, operation -> replace(target.resolve("replaced")));
            served.runSilently("sync", "--delete", source.toString(), served.url("/t"));
            assertThat(target.resolve("f")).hasContent("new");
            assertThat(target.resolve("replaced")).hasContent("somebody's");
            assertThat(target.resolve("gone")).doesNotExist();
        }
    }

    /** Somebody has removed the file, and created another. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void syncDeletesNoFileThatHasTheInodeNumberOfOneThatItHasSeen(boolean remote) throws Exception {
        try (ServedExport served = new ServedExport("tcp", temporary, stores.opener())) {
            Path there = Files.createDirectory(served.directory.resolve("t"));
            Path here = Files.createDirectory(temporary.resolve("tree"));
            Path target = remote ? there : here;
            Files.writeString((remote ? here : there).resolve("f"), "new");
            Path file = Files.writeString(target.resolve("replaced"), "old");
            Object inode = Files.getAttribute(file, "unix:ino");
            stores.begin(remote ? "rename" : "read", 1, operation -> replaceWithTheSameNumber(file, inode));
            String url = served.url("/t");
            served.runSilently("sync", "--delete", remote ? here.toString() : url, remote ? url : here.toString());
            assertThat(target.resolve("f")).hasContent("new");
            assertThat(file).hasContent("somebody's");
        }
    }

    /** Creates files until one has the number, if the file system gives numbers out again. */
    private static void replaceWithTheSameNumber(Path file, Object inode) {
        try {
            Files.delete(file);
            Path other = file;
            for (int i = 0;
                    i < 1000
                            && (i == 0 || !Files.getAttribute(other, "unix:ino").equals(inode));
                    i++) {
                other = Files.writeString(file.resolveSibling("other" + i), "somebody's");
            }
            Files.move(other, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void replace(Path file) {
        try {
            Path other = Files.writeString(file.resolveSibling("other"), "somebody's");
            Files.move(other, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Somebody who can write in the tree replaces a directory by a link, at any step. */
    @Test
    void removalStaysInItsTree() throws Exception {
        AtomicBoolean running = new AtomicBoolean(true);
        try (ServedExport served = new ServedExport("tcp", temporary, stores.opener())) {
            Path outside = Files.createDirectories(served.directory.resolve("outside/e"));
            for (int at = 1; running.get(); at++) {
                Files.writeString(outside.resolve("f"), "kept");
                Files.writeString(outside.resolve("../f"), "kept");
                Path tree = Files.createDirectories(served.directory.resolve("t" + at));
                Files.createDirectories(tree.resolve("d/e"));
                Files.writeString(tree.resolve("d/f"), "x");
                Files.writeString(tree.resolve("d/e/f"), "x");
                Path away = served.directory.resolve("away" + at);
                running.set(false);
                stores.begin(at, operation -> {
                    running.set(true);
                    replaceByLink(tree.resolve("d"), away);
                });
                served.run("rm", "-r", served.url("/t" + at));
                stores.end();
                assertThat(outside.resolve("f")).as("step %d", at).hasContent("kept");
                assertThat(outside.resolve("../f")).as("step %d", at).hasContent("kept");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void syncDeletesNothingOutsideItsTarget(boolean remote) throws Exception {
        AtomicBoolean running = new AtomicBoolean(true);
        try (ServedExport served = new ServedExport("tcp", temporary, stores.opener())) {
            Path local = Files.createDirectory(temporary.resolve("local"));
            Path source = Files.createDirectory((remote ? local : served.directory).resolve("tree"));
            Files.createDirectories(source.resolve("d/e"));
            Files.writeString(source.resolve("d/e/new"), "new");
            Path targets = remote ? served.directory : local;
            Path outside = Files.createDirectories(targets.resolve("outside/e"));
            for (int at = 1; running.get(); at++) {
                Files.writeString(outside.resolve("f"), "kept");
                Files.writeString(outside.resolve("../f"), "kept");
                Path tree = Files.createDirectories(targets.resolve("t" + at));
                Files.createDirectories(tree.resolve("d/e"));
                Files.writeString(tree.resolve("d/f"), "x");
                Files.writeString(tree.resolve("d/e/f"), "x");
                Path away = targets.resolve("away" + at);
                running.set(false);
                stores.begin(at, operation -> {
                    running.set(true);
                    replaceByLink(tree.resolve("d"), away);
                });
                served.run(
                        "sync",
                        "--delete",
                        remote ? source.toString() : served.url("/tree"),
                        remote ? served.url("/t" + at) : tree.toString());
                stores.end();
                assertThat(outside.resolve("f")).as("step %d", at).hasContent("kept");
                assertThat(outside.resolve("../f")).as("step %d", at).hasContent("kept");
            }
        }
    }

    /** The listing of the target takes several calls. The directory is gone before the second, and what has its name is listed then. */
    @Test
    void syncDeletesNothingWhereALinkLeadsThatReplacesItsTarget() throws Exception {
        try (ServedExport served = new ServedExport("tcp", temporary, stores.opener())) {
            Path outside = Files.createDirectory(served.directory.resolve("outside"));
            Files.writeString(outside.resolve("f"), "kept");
            Path target = Files.createDirectory(served.directory.resolve("t"));
            for (int i = 0; i < 2000; i++) {
                Files.createFile(target.resolve("file" + i));
            }
            Path source = Files.createDirectory(temporary.resolve("tree"));
            AtomicBoolean replaced = new AtomicBoolean();
            stores.begin("list", 2, operation -> {
                try {
                    for (int i = 0; i < 2000; i++) {
                        Files.delete(target.resolve("file" + i));
                    }
                    Files.delete(target);
                    Files.createSymbolicLink(target, Path.of("outside"));
                    replaced.set(true);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            Outcome outcome = served.run("sync", "--delete", source.toString(), served.url("/t"));
            assertThat(replaced).isTrue();
            assertThat(outcome.errors()).contains("Has been replaced in the meantime");
            assertThat(outside.resolve("f")).hasContent("kept");
        }
    }

    private static void replaceByLink(Path directory, Path away) {
        try {
            Files.move(directory, away);
            Files.createSymbolicLink(directory, Path.of("../outside"));
        } catch (NoSuchFileException e) {
            // It has been removed.
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** If a failure to look counted as absence, the link to the target directory would be replaced, or the directory. */
    @ParameterizedTest
    @CsvSource({"cp, true", "mv, true", "sync, true", "cp, false", "mv, false", "sync, false"})
    void aTargetThatCannotBeLookedAtIsNotReplaced(String command, boolean answered) throws Exception {
        AtomicBoolean running = new AtomicBoolean(true);
        int failures = 0;
        try (ServedExport served = new ServedExport("tcp", temporary, stores.opener())) {
            for (int at = 1; running.get() && (answered || at <= 3); at++) { // a timeout takes a second
                Path source = Files.createDirectory(served.directory.resolve("s" + at));
                Files.writeString(source.resolve("f"), "new");
                Path target = Files.createDirectory(served.directory.resolve("t" + at));
                Files.writeString(target.resolve("old"), "kept");
                Path link = Files.createSymbolicLink(served.directory.resolve("l" + at), target.getFileName());
                failToLook(at, answered, running);
                String from = served.url("/s" + at + (command.equals("sync") ? "" : "/f"));
                Outcome outcome = served.run(command, "--timeout=1", from, served.url("/l" + at));
                stores.end();
                assertThat(Files.readSymbolicLink(link)).as(outcome.toString()).isEqualTo(target.getFileName());
                assertThat(target.resolve("old")).hasContent("kept");
                if (running.get()) {
                    assertThat(outcome.status()).isNotZero();
                    assertThat(source.resolve("f")).hasContent("new");
                    failures++;
                } else {
                    assertThat(target.resolve("f")).hasContent("new");
                }
            }
        }
        assertThat(failures).isPositive();
    }

    /** @param answered whether the server says that it cannot, or nothing until the client has given up */
    private void failToLook(int number, boolean answered, AtomicBoolean failed) {
        failed.set(false);
        stores.begin("lookup", number, operation -> {
            failed.set(true);
            if (!answered) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1500));
            }
            throw new StoreException(Failure.IO, "cannot look");
        });
    }

    @ParameterizedTest
    @CsvSource({"true, true", "true, false", "false, true", "false, false"})
    void aFileThatCannotBeLookedAtIsNotRemoved(boolean recursive, boolean answered) throws Exception {
        AtomicBoolean failed = new AtomicBoolean();
        try (ServedExport served = new ServedExport("tcp", temporary, stores.opener())) {
            Path file = Files.writeString(served.directory.resolve("f"), "kept");
            failToLook(1, answered, failed);
            String[] arguments = {"--timeout=1", served.url("/f"), "-r"};
            Outcome outcome = served.run("rm", Arrays.copyOf(arguments, recursive ? 3 : 2));
            assertThat(failed).isTrue();
            assertThat(outcome.status()).isNotZero();
            assertThat(outcome.errors()).doesNotContain("No such file");
            assertThat(file).hasContent("kept");
        }
    }
}
