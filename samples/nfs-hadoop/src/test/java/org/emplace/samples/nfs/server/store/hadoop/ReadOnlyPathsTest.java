// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.samples.nfs.server.store.TestedStore.assertFailure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.emplace.samples.nfs.server.store.FileId;
import org.emplace.samples.nfs.server.store.StoreException.Failure;
import org.emplace.samples.nfs.server.store.TestedStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ids that stand for paths, on Hadoop's own file system of this machine. */
class ReadOnlyPathsTest {
    @TempDir
    Path exported;

    private TestedStore tested;

    @BeforeEach
    void open() throws IOException {
        Files.writeString(exported.resolve("hello"), "hello world");
        tested = new TestedStore(
                () -> ReadOnlyHadoopStore.open(exported.toUri(), new Configuration(), HadoopOptions.DEFAULT));
    }

    @AfterEach
    void close() throws IOException {
        tested.close();
    }

    @Test
    void theIdOfARemovedFileIsStale() throws IOException {
        FileId hello = tested.lookup("hello");
        Files.move(exported.resolve("hello"), exported.resolve("moved"));
        assertFailure(() -> tested.attributes(hello), Failure.STALE);
        Files.createDirectory(exported.resolve("hello"));
        assertFailure(() -> tested.attributes(hello), Failure.STALE);
        assertThat(tested.lookup("hello")).isNotEqualTo(hello);
        assertThat(tested.read(tested.lookup("moved"))).isEqualTo("hello world");
    }

    @Test
    void rewrittenDataIsReadAgain() throws IOException {
        FileId hello = tested.lookup("hello");
        assertThat(tested.read(hello)).isEqualTo("hello world");
        Files.writeString(exported.resolve("hello"), "hello to the whole world");
        assertThat(tested.read(hello)).isEqualTo("hello to the whole world");
    }

    @Test
    void nothingLeadsAboveTheExportedDirectory() throws IOException {
        assertThat(tested.lookup("..")).isEqualTo(tested.root());
        assertFailure(() -> tested.attributes(new FileId(new byte[16])), Failure.STALE);
    }
}
