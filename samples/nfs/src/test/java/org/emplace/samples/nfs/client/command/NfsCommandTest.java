// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.samples.nfs.client.command.ServedExport.randomBytes;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.emplace.samples.nfs.client.command.ServedExport.Outcome;
import org.emplace.samples.nfs.server.StoreKind;
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
    void directoriesAreMadeListedAndRenamed(String protocol) throws Exception {
        try (ServedExport served = new ServedExport(protocol, temporary)) {
            served.runSilently("mkdir", "-p", served.url("/a/b"), served.url("/c"));
            served.runSilently("mv", served.url("/c"), served.url("/a"));
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
            Process cat = ServedExport.start(served.commandLine("cat", served.url("/f")))
                    .redirectOutput(output.toFile())
                    .start();
            assertThat(cat.waitFor()).isZero();
            assertThat(output).hasSameBinaryContentAs(file);
        }
    }

    /** Whichever export has been mounted for an earlier argument: it may have other files there. */
    @Test
    void aUrlLeadsToTheLongestExportThatHoldsIt() throws Exception {
        try (ServedExport served =
                new ServedExport("tcp", temporary, StoreKind.ofThisSystem().opener(2), "inner")) {
            Files.writeString(served.directory.resolve("inner/f"), "f");
            Outcome inner = served.run("stat", served.url("/inner/f"));
            assertThat(inner.output()).contains("File system: ");
            assertThat(served.run("stat", served.url("/"), served.url("/inner/f"))
                            .output())
                    .endsWith(inner.output());
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
    void aSymbolicLinkIsShownAsTheServerHasIt() throws Exception {
        try (ServedExport served = new ServedExport("tcp", temporary)) {
            Path target = Files.createDirectory(served.directory.resolve("d"));
            Files.createSymbolicLink(served.directory.resolve("link"), target);
            String shown = "link -> " + target;
            assertThat(served.run("ls", "-l", served.url("/")).output()).contains(shown + "\n");
            assertThat(served.run("tree", served.url("/")).output()).contains(shown + "\n");
            assertThat(served.run("stat", served.url("/link")).output()).contains("Link: " + target + "\n");
            assertThat(served.run("stat", "--json", served.url("/link")).output())
                    .contains("\"target\":\"" + target + "\"");
        }
    }

    @Test
    void aFailureIsOneLineAndStatusOne() throws Exception {
        try (ServedExport served = new ServedExport("tcp", temporary)) {
            Outcome outcome = served.run("cp", served.url("/x"), temporary.toString());
            assertThat(outcome.status()).isEqualTo(1);
            assertThat(outcome.errors()).isEqualTo("nfs: cp: " + served.url("/x") + ": No such file or directory\n");
            assertThat(served.run("cp", "/no/such/file", served.url("/")).errors())
                    .isEqualTo("nfs: cp: /no/such/file: No such file or directory\n");
            assertThat(served.run("rm", served.url("/x"), served.url("/y"))
                            .errors()
                            .lines())
                    .hasSize(2);
        }
    }

    @Test
    void outputThatCannotBeWrittenIsAFailure() throws Exception {
        try (ServedExport served = new ServedExport("tcp", temporary)) {
            Files.writeString(served.directory.resolve("f"), "x");
            for (String command : List.of("ls", "cat")) {
                Process process = ServedExport.start(served.commandLine(command, served.url("/f")))
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

    @Test
    void findSelectsByNameTypeSizeAndTime() throws Exception {
        try (ServedExport served = new ServedExport("tcp", temporary)) {
            Files.createDirectories(served.directory.resolve("d/e"));
            Files.writeString(served.directory.resolve("d/small.txt"), "x");
            Path large = Files.write(served.directory.resolve("d/e/large.txt"), new byte[5000]);
            Files.setLastModifiedTime(large, FileTime.from(LONG_AGO));
            assertThat(find(served)).containsExactly("/", "/d", "/d/e", "/d/e/large.txt", "/d/small.txt");
            assertThat(find(served, "-type", "d")).containsExactly("/", "/d", "/d/e");
            assertThat(find(served, "-name", "*.txt", "-size", "+2k")).containsExactly("/d/e/large.txt");
            assertThat(find(served, "-type", "f", "-size", "-2k")).containsExactly("/d/small.txt");
            assertThat(find(served, "-newer", large.toString(), "-type", "f")).containsExactly("/d/small.txt");
            assertThat(served.run("find", served.url("/"), "-size", "much").status())
                    .isEqualTo(2);
        }
    }

    private static List<String> find(ServedExport served, String... options) {
        List<String> arguments = new ArrayList<>(List.of(served.url("/")));
        arguments.addAll(List.of(options));
        String export = served.url("");
        return served.run("find", arguments.toArray(String[]::new))
                .output()
                .lines()
                .map(url -> url.equals(export) ? "/" : url.substring(export.length()))
                .toList();
    }

    @Test
    void treesAreDrawnAndAddedUp() throws Exception {
        try (ServedExport served = new ServedExport("tcp", temporary)) {
            Files.createDirectories(served.directory.resolve("a/b"));
            Files.write(served.directory.resolve("a/b/c"), new byte[100_000]);
            Files.createSymbolicLink(served.directory.resolve("z"), Path.of("a"));
            assertThat(served.run("tree", served.url("/")).output())
                    .isEqualTo(served.url("") + "\n├── a\n│   └── b\n│       └── c\n└── z -> a\n");
            assertThat(served.run("tree", "-L", "1", served.url("/")).output())
                    .isEqualTo(served.url("") + "\n├── a\n└── z -> a\n");
            assertThat(served.run("du", served.url("/a")).output().lines().map(line -> line.split("\t", 2)[1]))
                    .containsExactly(served.url("/a/b"), served.url("/a"));
            String sum = served.run("du", "-s", served.url("/a")).output();
            assertThat(Integer.parseInt(sum.split("\t", 2)[0])).isBetween(97, 200);
            assertThat(served.run("du", "-sh", served.url("/a")).output()).matches("[0-9.]+K\t.*\n");
        }
    }

    @Test
    void jsonIsForPrograms() throws Exception {
        try (ServedExport served = new ServedExport("tcp", temporary)) {
            Files.writeString(served.directory.resolve("a \"b\""), "xyz");
            String file = "{\"url\":\"" + served.url("/a%20%22b%22")
                    + "\",\"name\":\"a \\\"b\\\"\",\"type\":\"regular file\",";
            for (String command : List.of("ls", "find")) {
                assertThat(served.run(command, "--json", served.url("/"))
                                .output()
                                .lines())
                        .last()
                        .asString()
                        .startsWith(file)
                        .contains("\"size\":3,")
                        .endsWith("}");
            }
            assertThat(served.run("stat", "--json", served.url("/a%20%22b%22")).output())
                    .startsWith(file);
            assertThat(served.run("du", "-s", "--json", served.url("/")).output())
                    .matches("\\{\"url\":\"nfs://.*\",\"bytes\":\\d+}\n");
        }
    }

    @Test
    void aUrlMayHaveMountOptions() throws Exception {
        try (ServedExport served = new ServedExport("tcp", temporary)) {
            Files.createFile(served.directory.resolve("a?b"));
            String url = served.fileSystem().toString();
            assertThat(ServedExport.runAlone("ls", url)).isEqualTo(new Outcome(0, "a?b\n", ""));
            assertThat(ServedExport.runAlone("ls", url.replace("?", "a%3Fb?"))).isEqualTo(new Outcome(0, "a?b\n", ""));
            Outcome wrong = ServedExport.runAlone("ls", url + "&port=1");
            assertThat(wrong.status()).isEqualTo(1);
            assertThat(wrong.errors()).contains("there is no option 'port'; there are proto, mountport");
        }
    }

    @Test
    void theShellCompletesCommands() {
        assertThat(ServedExport.runAlone("generate-completion").output()).contains("complete -F", "--mount-port");
    }
}
