// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.samples.nfs.client.command.ServedExport.randomBytes;

import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.stream.Stream;
import org.emplace.samples.nfs.client.command.ServedExport.Outcome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The subcommands cp and sync. */
class CopyCommandTest {
    private static final Instant LONG_AGO = Instant.parse("2001-09-09T01:46:40Z");

    @TempDir
    private Path temporary = Path.of("");

    @ParameterizedTest
    @ValueSource(strings = {"rdma", "tcp"})
    void aFileCopiedThereAndBackHasItsBytesModeAndTime(String protocol) throws Exception {
        Path file = bigFile("big", 5_000_001);
        try (ServedExport served = new ServedExport(protocol, temporary)) {
            served.runSilently("cp", file.toString(), served.url("/"));
            served.runSilently(
                    "cp", served.url("/big"), temporary.resolve("back").toString());
        }
        Path back = temporary.resolve("back");
        assertThat(back).hasSameBinaryContentAs(file);
        assertThat(Files.getPosixFilePermissions(back)).isEqualTo(PosixFilePermissions.fromString("rw-r-x--x"));
        assertThat(Files.getLastModifiedTime(back).toInstant()).isEqualTo(LONG_AGO);
    }

    @ParameterizedTest
    @ValueSource(strings = {"rdma", "tcp"})
    void aTreeCopiedThereAndBackIsTheSame(String protocol) throws Exception {
        Path tree = Files.createDirectory(temporary.resolve("tree"));
        Files.createDirectory(tree.resolve("empty"));
        for (int i = 0; i < 100; i++) {
            Path folder = Files.createDirectories(tree.resolve("folder" + i % 7));
            Files.writeString(folder.resolve("file" + i), "x".repeat(i * i));
        }
        Files.createSymbolicLink(tree.resolve("link"), Path.of("folder1/file1"));
        Files.createSymbolicLink(tree.resolve("nowhere"), Path.of("/no/such/file"));
        Files.setLastModifiedTime(tree.resolve("folder3"), FileTime.from(LONG_AGO));
        Path back = temporary.resolve("back");
        try (ServedExport served = new ServedExport(protocol, temporary)) {
            served.runSilently("cp", "-r", tree.toString(), served.url("/copy"));
            served.runSilently("cp", "-r", served.url("/copy"), back.toString());
            served.runSilently("rm", "-r", served.url("/copy"));
            assertThat(served.directory).isEmptyDirectory();
        }
        for (int i = 0; i < 100; i++) {
            assertThat(back.resolve("folder" + i % 7 + "/file" + i)).hasContent("x".repeat(i * i));
        }
        assertThat(back.resolve("empty")).isEmptyDirectory();
        assertThat(Files.readSymbolicLink(back.resolve("link"))).isEqualTo(Path.of("folder1/file1"));
        assertThat(Files.readSymbolicLink(back.resolve("nowhere"))).isEqualTo(Path.of("/no/such/file"));
        assertThat(Files.getLastModifiedTime(back.resolve("folder3")).toInstant())
                .isEqualTo(LONG_AGO);
    }

    @Test
    void copyingATreeOverAFileReportsTheFile() throws Exception {
        Path tree = Files.createDirectory(temporary.resolve("tree"));
        try (ServedExport served = new ServedExport("tcp", temporary)) {
            Files.createFile(served.directory.resolve("taken"));
            Outcome outcome = served.run("cp", "-r", tree.toString(), served.url("/taken"));
            assertThat(outcome.status()).isEqualTo(1);
            assertThat(outcome.errors()).endsWith("tree: 'taken' already exists and is not a directory\n");
        }
    }

    @Test
    void statisticsCountBytesInChunks() throws Exception {
        Path file = bigFile("big", 1_000_000);
        try (ServedExport served = new ServedExport("rdma", temporary)) {
            assertThat(served.run("cp", "--stats", file.toString(), served.url("/f"))
                            .output())
                    .containsPattern("WRITE +\\d+ +[\\d,]+ +1,000,000 ");
            assertThat(served.run(
                                    "cp",
                                    "--stats",
                                    served.url("/f"),
                                    temporary.resolve("back").toString())
                            .output())
                    .containsPattern("READ +\\d+ +[\\d,]+ +0 +1,000,000 ");
        }
    }

    @Test
    void aLocalFileAtFaultIsNamed() throws Exception {
        try (ServedExport served = new ServedExport("tcp", temporary)) {
            Files.createFile(served.directory.resolve("f"));
            assertThat(served.run("cp", served.url("/f"), "/no/such/f").errors())
                    .isEqualTo("nfs: cp: /no/such/f: No such file or directory\n");
        }
    }

    @Test
    void severalFilesAreCopiedIntoADirectoryAndFromThereToAnother() throws Exception {
        Path first = bigFile("first", 3_000_000);
        Path second = bigFile("second", 10);
        try (ServedExport served = new ServedExport("rdma", temporary)) {
            served.run("mkdir", served.url("/d"), served.url("/e"));
            served.runSilently("cp", first.toString(), second.toString(), served.url("/d"));
            served.runSilently("cp", served.url("/d/first"), served.url("/d/second"), served.url("/e"));
            assertThat(served.directory.resolve("e/first")).hasSameBinaryContentAs(first);
            assertThat(served.directory.resolve("e/second")).hasSameBinaryContentAs(second);
            assertThat(served.run("cp", first.toString(), second.toString(), served.url("/d/first"))
                            .errors())
                    .isEqualTo("nfs: cp: " + served.url("/d/first") + ": Is not a directory to copy into\n");
        }
    }

    @Test
    void directoriesNeedRecursionAndPipesAreNotCopied() throws Exception {
        Path tree = Files.createDirectory(temporary.resolve("tree"));
        assertThat(new ProcessBuilder("mkfifo", tree.resolve("pipe").toString())
                        .start()
                        .waitFor())
                .isZero();
        try (ServedExport served = new ServedExport("tcp", temporary)) {
            assertThat(served.run("cp", tree.toString(), served.url("/")).errors())
                    .isEqualTo("nfs: cp: " + tree + ": Is a directory\n");
            assertThat(served.run("cp", "-r", tree.toString(), served.url("/")).errors())
                    .isEqualTo("nfs: cp: " + tree + "/pipe: Is a device, socket or pipe: not copied\n");
            assertThat(served.run("cp", "-r", served.url("/tree"), served.url("/tree"))
                            .errors())
                    .contains("A directory cannot be copied into itself");
        }
    }

    /** The number of calls for each file, besides those for the tree. It determines the speed of copying small files. */
    @Test
    void aSmallFileTakesFewCalls() throws Exception {
        Path tree = Files.createDirectory(temporary.resolve("tree"));
        for (int i = 0; i < 200; i++) {
            Files.writeString(tree.resolve("file" + i), "x".repeat(i));
        }
        try (ServedExport served = new ServedExport("tcp", temporary)) {
            String sent = served.run("cp", "-r", "--stats", tree.toString(), served.url("/copy"))
                    .output();
            assertThat(calls(sent)).isLessThan(4 * 200 + 50);
            String received = served.run(
                            "cp",
                            "-r",
                            "--stats",
                            served.url("/copy"),
                            temporary.resolve("back").toString())
                    .output();
            assertThat(calls(received)).isLessThan(200 + 50);
        }
    }

    /** Of all procedures. */
    private static int calls(String statistics) {
        String all = statistics
                .lines()
                .filter(line -> line.startsWith("all "))
                .findFirst()
                .orElseThrow();
        return Integer.parseInt(all.split(" +", -1)[1]);
    }

    @Test
    void aCopyThatASignalEndsLeavesNothingBehind() throws Exception {
        Path target = Files.createDirectory(temporary.resolve("target"));
        try (ServedExport served = new ServedExport("tcp", temporary)) {
            try (RandomAccessFile sparse =
                    new RandomAccessFile(served.directory.resolve("f").toFile(), "rw")) {
                sparse.setLength(1L << 40);
            }
            Process copy = ServedExport.start(served.commandLine("cp", served.url("/f"), target.toString()))
                    .start();
            while (copy.isAlive() && isEmpty(target)) {
                Thread.sleep(20);
            }
            copy.destroy();
            assertThat(copy.waitFor()).isEqualTo(128 + 15);
            assertThat(target).isEmptyDirectory();
        }
    }

    @Test
    void aCopyToTheServerThatASignalEndsLeavesNothingBehind() throws Exception {
        Path file = temporary.resolve("f");
        try (ServedExport served = new ServedExport("tcp", temporary);
                RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
            sparse.setLength(1L << 33);
            Process copy = ServedExport.start(served.commandLine("cp", file.toString(), served.url("/")))
                    .start();
            while (copy.isAlive() && isEmpty(served.directory)) {
                Thread.sleep(20);
            }
            copy.destroy();
            assertThat(copy.waitFor()).isEqualTo(128 + 15);
            assertThat(served.directory).isEmptyDirectory();
        }
    }

    @Test
    void syncCopiesDifferencesAndDeletesExtraneousFiles() throws Exception {
        Path tree = Files.createDirectory(temporary.resolve("tree"));
        Files.createDirectory(tree.resolve("inner"));
        Path same = Files.writeString(tree.resolve("same"), "same");
        Path changed = Files.writeString(tree.resolve("inner/changed"), "one");
        Files.createSymbolicLink(tree.resolve("link"), Path.of("same"));
        try (ServedExport served = new ServedExport("tcp", temporary)) {
            served.runSilently("sync", tree.toString(), served.url("/copy"));
            Path copy = served.directory.resolve("copy");
            Object first = Files.readAttributes(copy.resolve("same"), BasicFileAttributes.class)
                    .fileKey();
            Files.writeString(changed, "two");
            Files.setLastModifiedTime(changed, FileTime.from(LONG_AGO));
            Files.createDirectories(copy.resolve("other/deep"));
            Files.writeString(copy.resolve("inner/other"), "");

            served.runSilently("sync", tree.toString(), served.url("/copy"));
            assertThat(copy.resolve("inner/changed")).hasContent("two");
            assertThat(copy.resolve("other/deep")).isDirectory();
            assertThat(Files.readAttributes(copy.resolve("same"), BasicFileAttributes.class)
                            .fileKey())
                    .as("the file that was there")
                    .isEqualTo(first);

            served.runSilently("sync", "--delete", tree.toString(), served.url("/copy"));
            assertThat(copy).isDirectoryNotContaining(entry -> entry.endsWith("other"));
            assertThat(copy.resolve("inner")).isDirectoryNotContaining(entry -> entry.endsWith("other"));

            Path link = Files.createSymbolicLink(temporary.resolve("to"), tree);
            served.runSilently("sync", "--delete", link.toString(), served.url("/copy"));
            assertThat(served.run("sync", "--delete", same.toString(), served.url("/copy"))
                            .errors())
                    .isEqualTo("nfs: sync: " + same + ": Is not a directory\n");
            assertThat(copy.resolve("same")).isRegularFile();

            Path back = Files.createDirectory(temporary.resolve("back"));
            Files.createDirectory(back.resolve("same"));
            served.runSilently("sync", "--delete", served.url("/copy"), back.toString());
            assertThat(back.resolve("same")).hasSameBinaryContentAs(same);
            assertThat(Files.readSymbolicLink(back.resolve("link"))).isEqualTo(Path.of("same"));
        }
    }

    /** The few calls are those for the listings and for the two files that differ. */
    @Test
    void syncTakesNoCallsForFilesThatAreTheSame() throws Exception {
        Path tree = Files.createDirectory(temporary.resolve("tree"));
        for (int i = 0; i < 200; i++) {
            Files.writeString(tree.resolve("file" + i), "x".repeat(i));
        }
        try (ServedExport served = new ServedExport("tcp", temporary)) {
            served.runSilently("sync", tree.toString(), served.url("/copy"));
            Files.writeString(tree.resolve("file7"), "changed");
            Files.writeString(tree.resolve("new"), "new");
            String again = served.run("sync", "--stats", tree.toString(), served.url("/copy"))
                    .output();
            assertThat(calls(again)).isLessThan(50);
            assertThat(served.directory.resolve("copy/file7")).hasContent("changed");
            assertThat(served.directory.resolve("copy/new")).hasContent("new");
        }
    }

    private static boolean isEmpty(Path directory) throws Exception {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.findAny().isEmpty();
        }
    }

    private Path bigFile(String name, int length) throws Exception {
        Path file = Files.write(temporary.resolve(name), randomBytes(length));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-x--x"));
        Files.setLastModifiedTime(file, FileTime.from(LONG_AGO));
        return file;
    }
}
