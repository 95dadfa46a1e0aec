// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/** The project's folder with its protocols and C programs, and the tools that build them. */
final class Sources {
    private static final int TIMEOUT_SECONDS = 120;

    private Sources() {}

    /**
     * A file of the project.
     *
     * @param path relative to the project's folder
     */
    static Path file(String path) {
        String folder = System.getProperty("org.emplace.benchmarks.project");
        if (folder == null) {
            throw new IllegalStateException(
                    "-Dorg.emplace.benchmarks.project does not say where the project is; start by benchmarks/run");
        }
        return Path.of(folder).resolve(path);
    }

    /** Runs a tool in a folder and waits for it. Its standard error is shown. */
    static void run(Path folder, String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IOException(command[0] + " did not end within " + TIMEOUT_SECONDS + " s");
        }
        if (process.exitValue() != 0) {
            throw new IOException(
                    Arrays.toString(command) + " in " + folder + " failed with status " + process.exitValue());
        }
    }
}
