// SPDX-License-Identifier: Apache-2.0
package org.emplace.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Unpacks the archives in an empty folder and does what their users do. */
@EnabledOnOs(OS.LINUX)
class DistributionIT {
    private static final String VERSION = System.getProperty("distribution.version");
    private static final Pattern VERSION_OF_JAR = Pattern.compile("-[0-9][^/]*\\.jar$");
    private static final Pattern NOTICED = Pattern.compile("(?m)^  (\\w\\S*)  +\\S");
    private static final Pattern LISTENING = Pattern.compile("listening (rdma|tcp)://(.*) (nfs|mount)");

    @TempDir
    private Path folder = Path.of("");

    @Test
    void xdrcCompiles() throws Exception {
        Path xdrc = unpacked("xdrc");

        assertThat(output(xdrc, "bin/xdrc", "--version"))
                .isEqualTo("xdrc (Emplace) " + VERSION.replace("-SNAPSHOT", "") + "\n");
        assertThat(output(xdrc, "bin/xdrc", "compile", "--output", "java", "--package", "p", "spec/nfs3.x"))
                .contains("java");
        assertThat(xdrc.resolve("java/p/Nfs3Client.java")).isRegularFile();
    }

    @Test
    void xdrcUsesTheArchiveOfClassesThatItsUserMakes() throws Exception {
        Path xdrc = unpacked("xdrc");

        assertThat(output(xdrc, "bin/xdrc-archive")).isEmpty();

        assertThat(output(xdrc, "env", "XDRC_JAVA_OPTIONS=-XX:+UseSerialGC -Xlog:class+load", "bin/xdrc", "--version"))
                .contains("org.emplace.compiler.cli.Xdrc source: shared objects file");
    }

    @Test
    void nfsListsWhatNfsServerExports() throws Exception {
        Path nfs = unpacked("nfs");
        Path export = Files.createDirectory(folder.resolve("export"));
        Files.writeString(export.resolve("file"), "content");
        Process server = start(
                nfs,
                "bin/nfs-server",
                "--export",
                export.toString(),
                "--state",
                folder.resolve("state").toString(),
                "--port",
                "0",
                "--mount-port",
                "0");
        try {
            BufferedReader lines = server.inputReader(StandardCharsets.UTF_8);
            String address = address(lines);
            String mount = address(lines);

            String listed = output(
                    nfs,
                    "bin/nfs",
                    "ls",
                    "nfs://" + address + export + "?mountport=" + mount.substring(mount.indexOf(':') + 1));

            assertThat(listed).contains("file\n");
        } finally {
            server.destroy();
            server.waitFor();
        }
    }

    @Test
    void nfsAndNfsServerUseTheArchiveOfClassesThatTheirUserMakes() throws Exception {
        Path nfs = unpacked("nfs");

        assertThat(output(nfs, "bin/archive-classes")).isEmpty();

        for (String command : List.of("bin/nfs", "bin/nfs-server")) {
            assertThat(output(nfs, "env", "NFS_JAVA_OPTIONS=-Xlog:class+load", command, "--version"))
                    .contains("org.emplace.samples.nfs.provider.ProviderOption source: shared objects file")
                    .contains("(Emplace sample) " + VERSION.replace("-SNAPSHOT", ""));
        }
    }

    @Test
    void manualPagesRenderWithoutWarnings() throws Exception {
        for (String archive : List.of("xdrc", "nfs")) {
            Path manual = unpacked(archive).resolve("share/man");
            List<Path> pages = new ArrayList<>(files(manual.resolve("man1")));
            assertThat(pages).hasSizeGreaterThan(5);
            if (archive.equals("nfs")) {
                pages.add(manual.resolve("man8/nfs-server.8"));
            }
            for (Path page : pages) {
                assertThat(output(manual, "groff", "-man", "-ww", "-z", page.toString()))
                        .as("%s", page)
                        .isEmpty();
            }
        }
    }

    @Test
    void aManualPageHasTheSynopsisOfTheHelp() throws Exception {
        Path xdrc = unpacked("xdrc");

        String page = output(xdrc, "groff", "-man", "-Tascii", "-P-cbou", "share/man/man1/xdrc-compare.1");
        String help = output(xdrc, "bin/xdrc", "compare", "--help");

        assertThat(between("SYNOPSIS", page, "DESCRIPTION"))
                .contains("[-D=NAME[=TEXT]]...")
                .isEqualTo(between("Usage:", help, "Compares"));
    }

    /** The part of a text between two others, without white space. */
    private static String between(String before, String text, String after) {
        int start = text.indexOf(before) + before.length();
        return text.substring(start, text.indexOf(after, start)).replaceAll("\\s", "");
    }

    @Test
    void aShellCompletesSubcommands() throws Exception {
        Path xdrc = unpacked("xdrc");

        String completed = output(
                xdrc,
                "bash",
                "-c",
                "source share/bash-completion/completions/xdrc; COMP_WORDS=(xdrc expl) COMP_CWORD=1"
                        + " COMP_LINE='xdrc expl'; _complete_xdrc xdrc expl xdrc; echo \"${COMPREPLY[@]}\"");

        assertThat(completed).isEqualTo("explain explain-capture\n");
    }

    @Test
    void theNoticeNamesTheJarsOfOtherProjects() throws Exception {
        for (String archive : List.of("xdrc", "nfs")) {
            Path root = unpacked(archive);
            List<String> jars = files(root.resolve("lib")).stream()
                    .map(jar ->
                            VERSION_OF_JAR.matcher(jar.getFileName().toString()).replaceFirst(""))
                    .filter(jar -> !jar.startsWith("emplace-"))
                    .toList();

            List<String> named = NOTICED.matcher(Files.readString(root.resolve("NOTICE")))
                    .results()
                    .map(line -> line.group(1))
                    .toList();

            assertThat(named).as(archive).isNotEmpty().containsExactlyInAnyOrderElementsOf(jars);
        }
    }

    private Path unpacked(String name) throws Exception {
        Path archive =
                Path.of("target/emplace-" + VERSION + "-" + name + ".tar.gz").toAbsolutePath();
        assertThat(output(folder, "tar", "-xzf", archive.toString())).isEmpty();
        return folder.resolve("emplace-" + name + "-" + VERSION);
    }

    private static List<Path> files(Path root) throws IOException {
        try (Stream<Path> files = Files.list(root)) {
            return files.toList();
        }
    }

    private static String address(BufferedReader lines) throws IOException {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            Matcher listening = LISTENING.matcher(line);
            if (listening.matches()) {
                return listening.group(2);
            }
        }
        throw new AssertionError("the server has ended");
    }

    private static Process start(Path directory, String... command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        return builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    }

    /** What a command writes, to its standard error too. */
    private static String output(Path directory, String... command) throws IOException, InterruptedException {
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process process = builder.start();
        try (InputStream written = process.getInputStream()) {
            String output = new String(written.readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).as(output).isZero();
            return output;
        }
    }
}
