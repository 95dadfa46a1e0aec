// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Does what docs/getting-started.md tells a user to do, in an empty directory. Its first step, to install Emplace, the build around has done for the
 * repository that the builds here have to themselves.
 */
class GuideIT {
    private static final Path REPOSITORY = Path.of("../..");
    private static final Path SAMPLE = REPOSITORY.resolve("samples/starter");
    private static final String HEADER = "SPDX-License-Identifier: Apache-2.0";
    private static final String BY_WRITE_CHUNK = "ALBUM_FIND: 0 bytes by Read chunk, 1048576 by Write chunk, 0 copied";
    private static final Pattern CODE = Pattern.compile("^```(?:c|java)\n((?s:.*?))^```$", Pattern.MULTILINE);

    @SuppressWarnings("NullAway.Init") // JUnit runs the method below first
    private static Guide guide;

    @TempDir
    private Path home = Path.of("");

    @TempDir
    private Path directory = Path.of("");

    @BeforeAll
    static void read() throws IOException {
        guide = Guide.in(REPOSITORY.resolve("docs/getting-started.md"));
    }

    @Test
    void theSampleIsWhatTheGuideMakes() throws IOException {
        Map<String, String> sample = new TreeMap<>();
        try (Stream<Path> files = Files.walk(SAMPLE)) {
            for (Path file : files.filter(Files::isRegularFile)
                    .filter(file -> !file.startsWith(SAMPLE.resolve("target")))
                    .toList()) {
                sample.put(SAMPLE.relativize(file).toString(), withoutHeader(Files.readString(file)));
            }
        }
        assertThat(sample).containsExactlyInAnyOrderEntriesOf(guide.files());
    }

    private static String withoutHeader(String text) {
        int end = text.indexOf('\n') + 1;
        return text.substring(0, end).contains(HEADER) ? text.substring(end) : text;
    }

    @Test
    void theReadmeShowsLinesOfTheGuide() throws IOException {
        Set<String> lines = guide.files().values().stream()
                .flatMap(String::lines)
                .map(String::strip)
                .collect(Collectors.toSet());

        List<String> shown = CODE.matcher(Files.readString(REPOSITORY.resolve("README.md")))
                .results()
                .flatMap(block -> block.group(1).lines())
                .map(String::strip)
                .toList();

        assertThat(shown).hasSizeGreaterThan(20).allMatch(lines::contains);
    }

    @Test
    void theGuideLeadsFromAnEmptyDirectoryToAMegabyteByWriteChunk() throws Exception {
        for (Map.Entry<String, String> file : guide.files().entrySet()) {
            Path path = directory.resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Files.writeString(path, file.getValue());
        }
        assertThat(guide.commands()).hasSize(1);
        Guide.Command command = guide.commands().get(0);
        List<String> promised =
                command.output().stream().filter(GuideIT::isResult).toList();
        assertThat(promised).contains(BY_WRITE_CHUNK);

        List<String> printed = new UserShell(home, directory).run(command.line());

        assertThat(printed).filteredOn(GuideIT::isResult).containsExactlyInAnyOrderElementsOf(promised);
    }

    /** Leaves out lines of the log: they have a time, and say why RDMA cannot be used on this machine. */
    private static boolean isResult(String line) {
        return !line.contains("org.emplace.") && !line.startsWith("INFO: ") && !line.isBlank();
    }
}
