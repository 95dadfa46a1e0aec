// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.export;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.logging.LogRecord;
import org.emplace.samples.nfs.server.LogRecords;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeptNamesTest {
    @TempDir
    private Path temporary;

    private KeptNames names() throws IOException {
        return KeptNames.in(temporary, "names");
    }

    @Test
    void namesAreKept() throws IOException {
        assertThat(names().all()).isEmpty();
        assertThat(names().change(Set.of("a", "b0"), Set.of("c"))).isTrue();
        assertThat(names().all()).containsExactlyInAnyOrder("a", "b0");
        assertThat(names().change(Set.of("c", "a"), Set.of("b0"))).isTrue();
        assertThat(names().all()).containsExactlyInAnyOrder("a", "c");
    }

    @Test
    void otherFilesAreReportedAndIgnored() throws IOException {
        names().change(Set.of("a"), Set.of());
        Files.createFile(temporary.resolve("names/a.part"));
        try (LogRecords log = new LogRecords(KeptNames.class.getName())) {
            assertThat(names().all()).containsExactly("a");
            assertThat(log.all()).extracting(LogRecord::getParameters).hasSize(1);
        }
        assertThat(temporary.resolve("names/a.part")).exists();
    }

    /** The first, second, fourth ... failure is logged. What cannot be removed is reported, what cannot be added is not. */
    @Test
    void failuresAreLogged() throws IOException {
        KeptNames names = names();
        Files.createDirectories(temporary.resolve("names/a/b"));
        try (LogRecords log = new LogRecords(KeptNames.class.getName())) {
            assertThat(names.change(Set.of(), Set.of("a"))).isFalse();
            assertThat(names.change(Set.of("a"), Set.of())).isTrue();
            assertThat(names.change(Set.of("b"), Set.of("a"))).isFalse();
            assertThat(log.all()).hasSize(2);
        }
        assertThat(names.all()).contains("b");
    }
}
