// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.emplace.samples.nfs.client.command.ServedExport.Outcome;
import org.emplace.samples.nfs.server.StoreKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands destroy no source, and replace nothing but regular files. */
@Timeout(120)
class KeptSourcesTest {
    @TempDir
    private Path temporary;

    /** @param source by its name, through a link, or with dots */
    @ParameterizedTest
    @ValueSource(strings = {"/a/b", "/a/b/c/..", "/link", "/a"})
    void syncDeletesNoSourceThatIsInsideItsTarget(String source) throws Exception {
        try (ServedExport served = new ServedExport("tcp", temporary)) {
            Path inner = Files.createDirectories(served.directory.resolve("a/b/c"));
            Files.writeString(inner.resolve("f"), "kept");
            Files.writeString(served.directory.resolve("a/g"), "kept");
            Files.createSymbolicLink(served.directory.resolve("link"), Path.of("a/b"));
            Outcome outcome = served.run("sync", "--delete", served.url(source), served.url("/a"));
            assertThat(outcome.status()).isNotZero();
            assertThat(inner.resolve("f")).hasContent("kept");
            assertThat(served.directory.resolve("a/g")).hasContent("kept");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/a/b/copy", "/link/copy", "/a/b/../new/copy"})
    void aDirectoryIsNotCopiedIntoItself(String target) throws Exception {
        try (ServedExport served = new ServedExport("tcp", temporary)) {
            Files.createDirectories(served.directory.resolve("a/b"));
            Files.createDirectories(served.directory.resolve("a/new"));
            Files.createSymbolicLink(served.directory.resolve("link"), Path.of("a/b"));
            assertThat(served.run("cp", "-r", served.url("/a"), served.url(target))
                            .errors())
                    .contains("A directory cannot be copied into itself");
        }
    }

    /** An export holds another one, and both show the same files by paths of their own. */
    @Test
    void aSourceInsideItsTargetIsFoundAcrossExports() throws Exception {
        try (ServedExport served =
                new ServedExport("tcp", temporary, StoreKind.ofThisSystem().opener(2), "sub")) {
            Path inner = Files.createDirectory(served.directory.resolve("sub/x"));
            Files.writeString(inner.resolve("f"), "kept");
            Files.writeString(served.directory.resolve("g"), "kept");
            String outer = served.url("");
            for (String target : new String[] {outer, outer.replace("127.0.0.1", "localhost")}) {
                Outcome outcome = served.run("sync", "--delete", served.url("/sub/x"), target);
                assertThat(outcome.status()).isNotZero();
                assertThat(outcome.errors()).contains("The source is inside the target");
                assertThat(inner.resolve("f")).hasContent("kept");
                assertThat(served.directory.resolve("g")).hasContent("kept");
            }
            assertThat(served.run("cp", "-r", outer, served.url("/sub/copy")).errors())
                    .contains("A directory cannot be copied into itself");
            served.runSilently("cp", "-r", served.url("/sub/x"), served.url("/y"));
            assertThat(served.directory.resolve("y/f")).hasContent("kept");
        }
    }

    @Test
    void nothingIsDeletedForWhatIsNotCopied() throws Exception {
        try (ServedExport served = new ServedExport("tcp", temporary)) {
            Path source = Files.createDirectory(temporary.resolve("tree"));
            pipe(source.resolve("p"));
            Path kept = Files.createDirectories(served.directory.resolve("tree/p"));
            Files.writeString(kept.resolve("f"), "kept");
            Outcome outcome = served.run("sync", "--delete", source.toString(), served.url("/tree"));
            assertThat(outcome.errors()).contains("Is a device, socket or pipe: not copied");
            assertThat(kept.resolve("f")).hasContent("kept");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"cp", "mv"})
    void twoSourcesOfOneNameDoNotReplaceEachOther(String command) throws Exception {
        try (ServedExport served = new ServedExport("rdma", temporary)) {
            for (String name : new String[] {"a", "b", "d"}) {
                Files.createDirectory(served.directory.resolve(name));
            }
            Files.writeString(served.directory.resolve("a/f"), "first");
            Files.writeString(served.directory.resolve("b/f"), "second");
            Outcome outcome = served.run(command, served.url("/a/f"), served.url("/b/f"), served.url("/d"));
            assertThat(outcome.status()).isNotZero();
            assertThat(outcome.errors()).contains(served.url("/b/f")).contains("the name of an earlier source");
            assertThat(served.directory.resolve("d/f")).hasContent("first");
            assertThat(served.directory.resolve("b/f")).hasContent("second");
        }
    }

    /** The copy of a link would be a link to itself. The target may be shown by another address of the server, or by an export of its own. */
    @ParameterizedTest
    @ValueSource(strings = {"/", "/real", "localhost"})
    void nothingIsCopiedOntoItself(String shown) throws Exception {
        String[] inner = shown.equals("/real") ? new String[] {"real"} : new String[0];
        try (ServedExport served =
                new ServedExport("rdma", temporary, StoreKind.ofThisSystem().opener(2), inner)) {
            Files.createDirectories(served.directory.resolve("links"));
            Files.createDirectories(served.directory.resolve("real"));
            Path file = Files.writeString(served.directory.resolve("real/f"), "data");
            Files.createSymbolicLink(served.directory.resolve("links/f"), Path.of("../real/f"));
            Path other = Files.createLink(served.directory.resolve("real/other"), file);
            Path outer = Files.createLink(served.directory.resolve("links/outer"), file);
            String to = shown.equals("localhost")
                    ? served.url("/real").replace("127.0.0.1", "localhost")
                    : served.url("/real");
            for (List<String> command : List.of(
                    List.of("cp", "-r", served.url("/links/f"), to + "/f"),
                    List.of("cp", served.url("/links/outer"), to + "/f"),
                    List.of("cp", served.url("/real/other"), to + "/f"),
                    List.of("cp", served.url("/real/f"), to + "/f"),
                    List.of("sync", served.url("/links"), to))) {
                Outcome outcome = served.run(
                        command.get(0), command.subList(1, command.size()).toArray(new String[0]));
                assertThat(outcome.status()).as(command.toString()).isNotZero();
                assertThat(outcome.errors()).contains("Is the file that is to be copied");
                assertThat(Files.isSymbolicLink(file)).isFalse();
                assertThat(file).hasContent("data");
                assertThat(Files.isSameFile(file, other)).isTrue();
                assertThat(Files.isSameFile(file, outer)).isTrue();
            }
        }
    }

    @Test
    void aSlipRemovesNoExportAndNoParent() throws Exception {
        try (ServedExport served = new ServedExport("tcp", temporary)) {
            Files.createDirectories(served.directory.resolve("d/e"));
            for (String slip : new String[] {"", "/", "/d/..", "/d/.", "/d/../", "/d/e/../.."}) {
                assertThat(served.run("rm", "-r", served.url(slip)).status())
                        .as(slip)
                        .isNotZero();
                assertThat(served.directory.resolve("d/e")).isDirectory();
            }
        }
    }

    @Test
    void aCopyIsWrittenIntoAPipeAndThroughALink() throws Exception {
        Path pipe = pipe(temporary.resolve("pipe"));
        Path real = Files.writeString(temporary.resolve("real"), "old");
        Path link = Files.createSymbolicLink(temporary.resolve("link"), Path.of("real"));
        Path lost = Files.createSymbolicLink(temporary.resolve("lost"), Path.of("nothing"));
        try (ServedExport served = new ServedExport("tcp", temporary)) {
            Files.writeString(served.directory.resolve("f"), "new");
            CompletableFuture<String> reading = CompletableFuture.supplyAsync(() -> text(pipe));
            served.runSilently("cp", served.url("/f"), pipe.toString());
            assertThat(reading.get()).isEqualTo("new");
            assertThat(Files.readAttributes(pipe, "isOther")).containsEntry("isOther", true);
            served.runSilently("cp", served.url("/f"), link.toString());
            assertThat(Files.isSymbolicLink(link)).isTrue();
            assertThat(real).hasContent("new");
            assertThat(served.run("cp", served.url("/f"), lost.toString()).errors())
                    .contains("leads nowhere");
            assertThat(Files.isSymbolicLink(lost)).isTrue();

            Files.createSymbolicLink(served.directory.resolve("link"), Path.of("f"));
            served.runSilently("cp", real.toString(), served.url("/link"));
            assertThat(Files.isSymbolicLink(served.directory.resolve("link"))).isTrue();
            pipe(served.directory.resolve("pipe"));
            assertThat(served.run("cp", real.toString(), served.url("/pipe")).errors())
                    .contains("Is a device, socket or pipe: not replaced");
        }
    }

    private static Path pipe(Path path) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder("mkfifo", path.toString()).start().waitFor())
                .isZero();
        return path;
    }

    private static String text(Path path) {
        try {
            return Files.readString(path);
        } catch (IOException e) {
            return e.toString();
        }
    }

    /** Below the top nothing is written through a link: a server could make it lead anywhere. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void inATreeALinkOrPipeInThePlaceOfAFileIsNotReplaced(boolean toServer) throws Exception {
        try (ServedExport served = new ServedExport("tcp", temporary)) {
            Path local = Files.createDirectory(temporary.resolve("tree"));
            Path remote = Files.createDirectory(served.directory.resolve("tree"));
            Path from = toServer ? local : remote;
            Path to = toServer ? remote : local;
            Files.writeString(from.resolve("f"), "new");
            Files.writeString(from.resolve("g"), "new");
            Files.writeString(from.resolve("h"), "new");
            Path outside = Files.writeString(temporary.resolve("outside"), "old");
            Files.createSymbolicLink(to.resolve("f"), outside);
            pipe(to.resolve("g"));
            for (String command : new String[] {"cp", "sync"}) {
                String source = toServer ? local.toString() : served.url("/tree");
                String target = toServer ? served.url(command.equals("cp") ? "/" : "/tree") : local.toString();
                Outcome outcome = command.equals("cp")
                        ? served.run("cp", "-r", source, toServer ? target : temporary.toString())
                        : served.run("sync", source, target);
                assertThat(outcome.status()).as(command).isNotZero();
                assertThat(outcome.errors())
                        .contains("Is a symbolic link: not replaced")
                        .contains("pipe: not replaced");
                assertThat(Files.isSymbolicLink(to.resolve("f"))).isTrue();
                assertThat(outside).hasContent("old");
                assertThat(to.resolve("h")).hasContent("new");
            }
        }
    }

    @Test
    void removalWithoutRecursionRemovesNoDirectory() throws Exception {
        try (ServedExport served = new ServedExport("tcp", temporary)) {
            Files.createDirectory(served.directory.resolve("d"));
            assertThat(served.run("rm", served.url("/d")).errors()).contains("Is a directory");
            assertThat(catchThrowable(() -> Files.readAttributes(served.directory.resolve("d"), "*")))
                    .isNull();
        }
    }
}
