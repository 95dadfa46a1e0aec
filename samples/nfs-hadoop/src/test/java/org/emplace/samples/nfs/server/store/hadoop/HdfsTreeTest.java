// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.samples.nfs.server.store.TestedStore.assertFailure;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.fs.Path;
import org.awaitility.Awaitility;
import org.emplace.samples.nfs.server.store.FileId;
import org.emplace.samples.nfs.server.store.StoreException.Failure;
import org.emplace.samples.nfs.server.store.TestedStore;
import org.emplace.samples.nfs.server.store.hadoop.HdfsCluster.HdfsFixture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Which files clients can reach. */
@ExtendWith(HdfsCluster.Shared.class)
class HdfsTreeTest {
    private final HdfsCluster cluster;
    private final URI directory;
    private final Path root;

    HdfsTreeTest(HdfsCluster cluster) throws IOException {
        this.cluster = cluster;
        this.directory = cluster.directory();
        this.root = new Path(directory);
    }

    private TestedStore open() throws IOException {
        return new TestedStore(new HdfsFixture(cluster, directory, Set.of(), HadoopOptions.DEFAULT));
    }

    @Test
    void aDirectoryMovedOutOfTheTreeHasNoParent() throws IOException {
        try (TestedStore tested = open()) {
            FileId moved = tested.makeDirectory(tested.root(), "moved");
            FileId below = tested.makeDirectory(moved, "below");
            Path outside = new Path(new Path(cluster.directory()), "away");
            cluster.fileSystem().rename(new Path(root, "moved"), outside);
            assertFailure(() -> tested.lookup(moved, ".."), Failure.STALE);
            assertFailure(() -> tested.lookup(below, ".."), Failure.STALE);
            assertThat(tested.attributes(below).isDirectory()).isTrue();
            cluster.fileSystem().rename(outside, new Path(root, "back"));
            assertThat(tested.lookup(moved, "..")).isEqualTo(tested.root());
        }
    }

    @Test
    void snapshotsAreNotReached() throws IOException {
        cluster.fileSystem().allowSnapshot(root);
        try (TestedStore tested = open()) {
            FileId file = tested.create(tested.root(), "file", "then");
            cluster.fileSystem().createSnapshot(root, "taken");
            tested.write(file, 4, " and now");
            assertFailure(() -> tested.lookup(".snapshot"), Failure.ACCES);
            assertFailure(() -> tested.lookup(".snapshot", "taken", "file"), Failure.ACCES);
            assertFailure(() -> tested.makeDirectory(tested.root(), ".snapshot"), Failure.ACCES);
            assertThat(tested.read(file)).isEqualTo("then and now");
            cluster.fileSystem().deleteSnapshot(root, "taken");
        }
    }

    @Test
    void filesMadeByOthersAreFoundUntilTheyAreRemoved() throws IOException {
        try (TestedStore tested = open()) {
            cluster.fileSystem().create(new Path(root, "theirs")).close();
            FileId theirs = tested.lookup("theirs");
            cluster.fileSystem().rename(new Path(root, "theirs"), new Path(root, "renamed"));
            assertThat(tested.lookup("renamed")).isEqualTo(theirs);
            cluster.fileSystem().delete(new Path(root, "renamed"), false);
            assertFailure(() -> tested.attributes(theirs), Failure.STALE);
        }
    }

    /** READs may use attributes that the name node reported a moment ago, but not for longer, and never after a change by this store. */
    @Test
    void readsSeeChangesOfOthersSoonAndOwnOnesAtOnce() throws IOException {
        try (TestedStore tested = open()) {
            FileId theirs = tested.create(tested.root(), "theirs", "text");
            FileId own = tested.create(tested.root(), "own", "text");
            FileId replaced = tested.create(tested.root(), "replaced", "text");
            for (FileId each : List.of(theirs, own, replaced)) {
                assertThat(tested.read(each)).isEqualTo("text");
            }

            tested.remove(tested.root(), "own");
            assertFailure(() -> tested.read(own, 0, 4), Failure.STALE);
            FileId other = tested.create(tested.root(), "other", "longer text");
            tested.rename(tested.root(), "other", tested.root(), "replaced");
            assertFailure(() -> tested.read(replaced, 0, 4), Failure.STALE);
            assertThat(tested.read(other)).isEqualTo("longer text");

            cluster.fileSystem().delete(new Path(root, "theirs"), false);
            Awaitility.await().untilAsserted(() -> assertFailure(() -> tested.read(theirs, 0, 4), Failure.STALE));
        }
    }
}
