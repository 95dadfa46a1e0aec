// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Runs commands as a user would who has installed Emplace: with the repository that the builds here have to themselves.
 *
 * @param home the user's, for Maven's settings and the commands' output
 * @param directory in which commands run
 */
record UserShell(Path home, Path directory) {
    private static final int LIMIT_SECONDS = 300;

    /** Runs a command, which must succeed. Returns the lines that it prints, without colors. */
    List<String> run(String command) throws IOException, InterruptedException {
        Path output = home.resolve("output");
        Process process = start(command, output);
        if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        assertThat(process.waitFor()).as(Files.readString(output)).isZero();
        return Files.readAllLines(output).stream()
                .map(line -> line.replaceAll("\u001b\\[[0-9;]*m", ""))
                .toList();
    }

    /** Starts a command that runs until {@link #interrupt}. What it prints goes to {@code output}. */
    Process start(String command, Path output) throws IOException {
        Path settings = home.resolve(".m2/settings.xml");
        Files.createDirectories(settings.getParent());
        String outer = Path.of(System.getProperty("outer.repository")).toUri().toString();
        Files.writeString(
                settings, Files.readString(Path.of("src/it/settings.xml")).replace("@localRepositoryUrl@", outer));
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment()
                .put(
                        "MAVEN_OPTS",
                        "-Duser.home=" + home + " -Dmaven.repo.local=" + System.getProperty("builds.repository"));
        return builder.start();
    }

    /** Ends a command and the processes that it has started, as Ctrl-C does on a terminal. */
    static void interrupt(Process command) throws InterruptedException {
        List<ProcessHandle> started = command.descendants().toList();
        started.forEach(ProcessHandle::destroy);
        command.destroy();
        started.forEach(each -> each.onExit().join());
        command.waitFor();
    }
}
