// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.emplace.samples.nfs.client.command.ServedExport.Outcome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each subcommand, over both transports. */
class NfsCommandTest {
    private static final Instant LONG_AGO = Instant.parse("2001-09-09T01:46:40Z");

    @TempDir
    private Path temporary = Path.of("");

    @ParameterizedTest
    @ValueSource(strings = {"rdma", "tcp"})
    void aFilePutAndGottenHasItsBytesModeAndTime(String protocol) throws Exception {
        Path file = bigFile("big", 5_000_001);
        try (ServedExport served = new ServedExport(protocol, temporary)) {
            assertThat(served.run("put", file.toString(), served.url("/"))).isEqualTo(silence());
            assertThat(served.run(
                            "get", served.url("/big"), temporary.resolve("back").toString()))
                    .isEqualTo(silence());
        }
        Path back = temporary.resolve("back");
        assertThat(back).hasSameBinaryContentAs(file);
        assertThat(Files.getPosixFilePermissions(back)).isEqualTo(PosixFilePermissions.fromString("rw-r-x--x"));
        assertThat(Files.getLastModifiedTime(back).toInstant()).isEqualTo(LONG_AGO);
    }

    @ParameterizedTest
    @ValueSource(strings = {"rdma", "tcp"})
    void aTreePutAndGottenIsTheSame(String protocol) throws Exception {
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
            assertThat(served.run("put", "-r", tree.toString(), served.url("/copy")))
                    .isEqualTo(silence());
            assertThat(served.run("get", "-r", served.url("/copy"), back.toString()))
                    .isEqualTo(silence());
            assertThat(served.run("rm", "-r", served.url("/copy"))).isEqualTo(silence());
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
    void aTreePutWhereAFileIsSaysWhatIsInItsPlace() throws Exception {
        Path tree = Files.createDirectory(temporary.resolve("tree"));
        try (ServedExport served = new ServedExport("tcp", temporary)) {
            Files.createFile(served.directory.resolve("taken"));
            Outcome outcome = served.run("put", "-r", tree.toString(), served.url("/taken"));
            assertThat(outcome.status()).isEqualTo(1);
            assertThat(outcome.errors()).endsWith("tree: 'taken' already exists and is not a directory\n");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"rdma", "tcp"})
    void directoriesAreMadeListedAndRenamed(String protocol) throws Exception {
        try (ServedExport served = new ServedExport(protocol, temporary)) {
            assertThat(served.run("mkdir", "-p", served.url("/a/b"), served.url("/c")))
                    .isEqualTo(silence());
            assertThat(served.run("mv", served.url("/c"), served.url("/a"))).isEqualTo(silence());
            assertThat(served.run("ls", served.url("/a")).output()).isEqualTo("b\nc\n");
            assertThat(served.run("ls", "-l", served.url("/a")).output().lines())
                    .hasSize(2)
                    .allMatch(line -> line.startsWith("drwxr-xr-x "));
            assertThat(served.run("stat", served.url("/a")).output()).contains("Type: directory");
        }
    }

    @Test
    void catWritesTheBytesToStandardOutput() throws Exception {
        try (ServedExport served = new ServedExport("rdma", temporary)) {
            Path file = Files.write(served.directory.resolve("f"), randomBytes(100_000));
            Path output = temporary.resolve("output");
            Process cat = start(served.commandLine("cat", served.url("/f")))
                    .redirectOutput(output.toFile())
                    .start();
            assertThat(cat.waitFor()).isZero();
            assertThat(output).hasSameBinaryContentAs(file);
        }
    }

    @Test
    void aPathThroughASymbolicLinkIsFollowedAndNotOutOfTheExport() throws Exception {
        try (ServedExport served = new ServedExport("tcp", temporary)) {
            Files.createDirectories(served.directory.resolve("d/e"));
            Files.createSymbolicLink(served.directory.resolve("in"), Path.of("d/../d"));
            Files.createSymbolicLink(served.directory.resolve("out"), Path.of("/etc"));
            assertThat(served.run("ls", served.url("/in")).output()).isEqualTo("e\n");
            assertThat(served.run("ls", served.url("/out")).errors()).contains("leads out of the export");
        }
    }

    @Test
    void statisticsSayWhatWentByChunks() throws Exception {
        Path file = bigFile("big", 1_000_000);
        try (ServedExport served = new ServedExport("rdma", temporary)) {
            assertThat(served.run("put", "--stats", file.toString(), served.url("/f"))
                            .output())
                    .containsPattern("WRITE +\\d+ +[\\d,]+ +1,000,000 ");
            assertThat(served.run(
                                    "get",
                                    "--stats",
                                    served.url("/f"),
                                    temporary.resolve("back").toString())
                            .output())
                    .containsPattern("READ +\\d+ +[\\d,]+ +0 +1,000,000 ");
        }
    }

    @Test
    void whatFailsIsSaidInOneLineAndEndsWithStatusOne() throws Exception {
        try (ServedExport served = new ServedExport("tcp", temporary)) {
            Outcome outcome = served.run("get", served.url("/x"), temporary.toString());
            assertThat(outcome.status()).isEqualTo(1);
            assertThat(outcome.errors()).isEqualTo("nfs: get: " + served.url("/x") + ": No such file or directory\n");
            assertThat(served.run("put", "/no/such/file", served.url("/")).errors())
                    .isEqualTo("nfs: put: /no/such/file: No such file or directory\n");
            assertThat(served.run("rm", served.url("/x"), served.url("/y"))
                            .errors()
                            .lines())
                    .hasSize(2);
        }
    }

    @Test
    void aLocalFileAtFaultIsNamed() throws Exception {
        try (ServedExport served = new ServedExport("tcp", temporary)) {
            Files.createFile(served.directory.resolve("f"));
            assertThat(served.run("get", served.url("/f"), "/no/such/f").errors())
                    .isEqualTo("nfs: get: /no/such/f: No such file or directory\n");
        }
    }

    @Test
    void aCopyThatASignalEndsLeavesNothingBehind() throws Exception {
        Path target = Files.createDirectory(temporary.resolve("target"));
        try (ServedExport served = new ServedExport("tcp", temporary)) {
            try (RandomAccessFile sparse =
                    new RandomAccessFile(served.directory.resolve("f").toFile(), "rw")) {
                sparse.setLength(1L << 40);
            }
            Process get = start(served.commandLine("get", served.url("/f"), target.toString()))
                    .start();
            while (get.isAlive() && isEmpty(target)) {
                Thread.sleep(20);
            }
            get.destroy();
            assertThat(get.waitFor()).isEqualTo(128 + 15);
            assertThat(target).isEmptyDirectory();
        }
    }

    @Test
    void outputThatCannotBeWrittenIsAFailure() throws Exception {
        try (ServedExport served = new ServedExport("tcp", temporary)) {
            Files.writeString(served.directory.resolve("f"), "x");
            for (String command : List.of("ls", "cat")) {
                Process process = start(served.commandLine(command, served.url("/f")))
                        .redirectOutput(Path.of("/dev/full").toFile())
                        .redirectError(ProcessBuilder.Redirect.PIPE)
                        .start();
                assertThat(process.errorReader().lines())
                        .containsExactly("nfs: standard output: No space left on device");
                assertThat(process.waitFor()).isEqualTo(1);
            }
        }
    }

    @Test
    void wrongUsageIsExplainedAndEndsWithStatusTwo() throws Exception {
        try (ServedExport served = new ServedExport("tcp", temporary)) {
            Outcome outcome = served.run("ls", "server:/export");
            assertThat(outcome.status()).isEqualTo(2);
            assertThat(outcome.errors())
                    .startsWith("nfs: ls: 'server:/export' is not of the form nfs://HOST")
                    .contains("nfs ls --help");
        }
    }

    /** The command in a process of its own. */
    private static ProcessBuilder start(List<String> commandLine) {
        List<String> line = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Nfs.class.getName()));
        line.addAll(commandLine);
        return new ProcessBuilder(line).inheritIO();
    }

    private static boolean isEmpty(Path directory) throws Exception {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.findAny().isEmpty();
        }
    }

    private static Outcome silence() {
        return new Outcome(0, "", "");
    }

    private Path bigFile(String name, int length) throws Exception {
        Path file = Files.write(temporary.resolve(name), randomBytes(length));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-x--x"));
        Files.setLastModifiedTime(file, FileTime.from(LONG_AGO));
        return file;
    }

    private static byte[] randomBytes(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }
}
