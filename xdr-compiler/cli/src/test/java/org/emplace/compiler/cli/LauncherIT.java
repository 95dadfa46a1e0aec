// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The script {@code bin/xdrc}, with what the build made for it. */
@EnabledOnOs(OS.LINUX)
class LauncherIT {

    private static final String ARCHIVED = "org.emplace.compiler.XdrCompiler source: shared objects file";
    /** The folder of {@code bin}, and of this module. */
    private static final Path BUILD = Path.of("..");

    @TempDir
    private Path folder = Path.of("");

    /** What a run of the script came to. */
    private record Outcome(int status, String out, String err) {}

    @Test
    void classesComeFromTheArchiveThatTheBuildMade() throws IOException, InterruptedException {
        Path file = Files.writeString(folder.resolve("a.x"), "struct s { int x; };");

        Outcome outcome = run(
                BUILD,
                Map.of("XDRC_JAVA_OPTIONS", "-XX:+UseSerialGC -Xlog:class+load"),
                "compile",
                "--output",
                folder.resolve("output").toString(),
                "--package",
                "p",
                file.toString());
        assertThat(outcome.status()).isZero();
        assertThat(outcome.out()).contains(ARCHIVED);
        assertThat(folder.resolve("output/p/S.java")).isRegularFile();
    }

    @Test
    void anArchiveOfOtherJarsIsSilentlyIgnored() throws IOException, InterruptedException {
        copyOfTheBuild();

        assertThat(run(folder, Map.of(), "--version")).isEqualTo(new Outcome(0, Xdrc.VERSION + "\n", ""));
        assertThat(run(folder, Map.of("XDRC_JAVA_OPTIONS", "-Xlog:class+load"), "--version")
                        .out())
                .doesNotContain("org.emplace.compiler.cli.Xdrc source: shared objects file");
    }

    @Test
    void anInvalidArchiveIsSilentlyIgnored() throws IOException, InterruptedException {
        copyOfTheBuild();
        for (Path archive : files(folder.resolve("cli/target/archives"))) {
            Files.delete(archive);
            Files.writeString(archive, "no archive", StandardOpenOption.CREATE_NEW);
        }

        assertThat(run(folder, Map.of(), "--version")).isEqualTo(new Outcome(0, Xdrc.VERSION + "\n", ""));
    }

    @Test
    void withoutAnArchiveItRunsToo() throws IOException, InterruptedException {
        copyOfTheBuild();
        for (Path archive : files(folder.resolve("cli/target/archives"))) {
            Files.delete(archive);
        }

        assertThat(run(folder, Map.of(), "--version")).isEqualTo(new Outcome(0, Xdrc.VERSION + "\n", ""));
        assertThat(run(folder, Map.of(), "nonsense").status()).isEqualTo(ExitStatus.USAGE);
    }

    private void copyOfTheBuild() throws IOException {
        for (String part : List.of("bin", "cli/target/lib", "cli/target/archives")) {
            for (Path file : files(BUILD.resolve(part))) {
                copy(file);
            }
        }
        try (Stream<Path> jars = Files.list(BUILD.resolve("cli/target"))) {
            for (Path jar :
                    jars.filter(file -> file.toString().endsWith(".jar")).toList()) {
                copy(jar);
            }
        }
    }

    private void copy(Path file) throws IOException {
        Path copy = folder.resolve(BUILD.relativize(file));
        Files.createDirectories(copy.resolveSibling(""));
        Files.copy(file, copy);
        assertThat(copy.toFile().setExecutable(Files.isExecutable(file))).isTrue();
    }

    private static List<Path> files(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(Files::isRegularFile).toList();
        }
    }

    private Outcome run(Path home, Map<String, String> environment, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(
                List.of(home.resolve("bin/xdrc").toAbsolutePath().toString()));
        command.addAll(List.of(arguments));
        Path err = folder.resolve("err");
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(err.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().putAll(environment);
        Process process = builder.start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Outcome(process.waitFor(), out, Files.readString(err));
    }
}
