// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;

/**
 * The folder of a build that has run: what the scripts in {@code src/it} look at. The first run of a build keeps times, with which the second
 * compares.
 */
public final class Build {
    private static final String TIMES = "times.properties";

    private final Path folder;

    /** The build in a folder. */
    public Build(File folder) {
        this.folder = folder.toPath();
    }

    /** Requires files to be there. */
    public Build requireFiles(String... files) {
        for (String file : files) {
            assertThat(folder.resolve(file)).isRegularFile();
        }
        return this;
    }

    /** Requires exactly these files, anywhere below a folder that is there only if they are. */
    public Build requireOnly(String parent, String... files) throws IOException {
        Path root = folder.resolve(parent);
        List<String> found = Files.exists(root)
                ? files(root).stream()
                        .map(file -> root.relativize(file).toString())
                        .toList()
                : List.of();
        assertThat(found).containsExactlyInAnyOrder(files);
        return this;
    }

    /** Requires a file to contain a text. */
    public Build requireText(String file, String text) {
        assertThat(folder.resolve(file)).content().contains(text);
        return this;
    }

    /** Requires Maven to have said something. */
    public Build requireLog(CharSequence... texts) {
        assertThat(folder.resolve("build.log")).content().contains(texts);
        return this;
    }

    /** Keeps the times of all files below some folders. */
    public Build keepTimes(String... parents) throws IOException {
        Properties times = new Properties();
        for (String parent : parents) {
            for (Path file : files(folder.resolve(parent))) {
                times.setProperty(folder.relativize(file).toString(), time(file));
            }
        }
        assertThat(times).isNotEmpty();
        try (Writer out = Files.newBufferedWriter(folder.resolve(TIMES))) {
            times.store(out, "times of the first run");
        }
        return this;
    }

    /** Requires all files whose times were kept to be as they were. */
    public Build requireUntouched() throws IOException {
        return requireUntouched(times().stringPropertyNames().toArray(String[]::new));
    }

    /** Requires some of the files whose times were kept to be as they were. */
    public Build requireUntouched(String... files) throws IOException {
        Properties times = times();
        for (String file : files) {
            assertThat(time(folder.resolve(file))).as(file).isEqualTo(times.getProperty(file));
        }
        return this;
    }

    private Properties times() throws IOException {
        Properties times = new Properties();
        try (Reader in = Files.newBufferedReader(folder.resolve(TIMES))) {
            times.load(in);
        }
        return times;
    }

    private static String time(Path file) throws IOException {
        return Files.getLastModifiedTime(file).toString();
    }

    private static List<Path> files(Path parent) throws IOException {
        try (Stream<Path> files = Files.walk(parent)) {
            return files.filter(Files::isRegularFile).sorted().toList();
        }
    }
}
