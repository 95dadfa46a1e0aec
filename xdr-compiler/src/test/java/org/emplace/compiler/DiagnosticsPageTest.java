// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DiagnosticsPageTest {

    @Test
    void everyCodeIsInTheDocumentAndNoOther() throws IOException {
        try (Stream<Path> sources = Files.walk(Path.of("src/main/java"))) {
            SortedSet<String> used = sources.filter(Files::isRegularFile)
                    .flatMap(file -> matches(Pattern.compile("(?<=\")[EWN]\\d{3}(?=\")"), file))
                    .collect(Collectors.toCollection(TreeSet::new));
            SortedSet<String> documented = matches(
                            Pattern.compile("\\b[EWN]\\d{3}\\b"), Path.of("../docs/diagnostics.md"))
                    .collect(Collectors.toCollection(TreeSet::new));

            assertThat(documented).isEqualTo(used);
        }
    }

    private static Stream<String> matches(Pattern pattern, Path file) {
        try {
            return pattern.matcher(Files.readString(file)).results().map(MatchResult::group);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
