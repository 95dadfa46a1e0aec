// SPDX-License-Identifier: Apache-2.0
package org.emplace.texts;

import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Each name of a class in the main sources belongs to one class, so that a reader who searches for a name finds one file. */
class ClassNamesTest {
    private static final Path ROOT = Path.of("..", "..");

    @Test
    void noTwoTopLevelClassesShareASimpleName() throws IOException {
        Map<String, List<Path>> classesByFileName = SourceTree.files(ROOT, ".java").stream()
                .filter(file -> file.toString().contains("/src/main/") && !isInfo(file))
                .collect(groupingBy(file -> file.getFileName().toString()));

        assertThat(classesByFileName).hasSizeGreaterThan(600);
        assertThat(classesByFileName.values())
                .filteredOn(same -> same.size() > 1)
                .isEmpty();
    }

    private static boolean isInfo(Path file) {
        return file.endsWith("package-info.java") || file.endsWith("module-info.java");
    }
}
