// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The scripts in {@code bin}, with the files that the build made for them. */
@EnabledOnOs(OS.LINUX)
class LauncherIT {

    @ParameterizedTest
    @ValueSource(strings = {"nfs", "nfs-server"})
    void classesComeFromTheArchiveThatTheBuildMade(String command) throws IOException, InterruptedException {
        assertThat(output("-Xlog:class+load", command, "--version"))
                .contains("org.emplace.samples.nfs.provider.ProviderOption source: shared objects file")
                .contains("(Emplace sample)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"nfs", "nfs-server"})
    void aJvmThatCannotUseTheArchiveRunsWithoutIt(String command) throws IOException, InterruptedException {
        assertThat(output("-XX:SharedArchiveFile=/nowhere", command, "--version"))
                .matches(command + " \\(Emplace sample\\) .*\n");
    }

    /** The output of a command, including its standard error, with further options for the JVM. */
    private static String output(String options, String command, String argument)
            throws IOException, InterruptedException {
        ProcessBuilder script = new ProcessBuilder(
                        Path.of("bin", command).toAbsolutePath().toString(), argument)
                .redirectErrorStream(true);
        script.environment().put("JAVA_HOME", System.getProperty("java.home"));
        script.environment().put("NFS_JAVA_OPTIONS", options);
        Process process = script.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }
}
