// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.nio;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.emplace.samples.nfs.server.store.AttributeChange;
import org.emplace.samples.nfs.server.store.Creation;
import org.emplace.samples.nfs.server.store.FileId;
import org.emplace.samples.nfs.server.store.FileName;
import org.emplace.samples.nfs.server.store.Store.Durability;
import org.emplace.samples.nfs.server.store.TestedStore;
import org.emplace.samples.nfs.server.store.nio.NioStore.Abilities;
import org.emplace.samples.nfs.server.store.nio.NioStore.NamesLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A call that waits for a file being written delays no other calls. */
@Timeout(60)
class SlowWriterTest {
    private static final NioOptions OPTIONS = NioOptions.DEFAULT.withDurability(Durability.DEFERRED);
    private static final FileName NAME = FileName.of("file");
    private static final Object PEER = "a client";

    @TempDir
    Path temporary;

    private interface Step {
        Object run(Changes changes, FileId root, FileId file) throws Exception;
    }

    @Test
    void settingASizeDoesNotWaitWithTheNamesLocked() throws Exception {
        letsOthersChangeNames((changes, root, file) -> changes.set(PEER, file, TestedStore.size(3), Optional.empty()));
    }

    @Test
    void creatingAnExistingFileDoesNotWaitWithTheNamesLocked() throws Exception {
        letsOthersChangeNames(
                (changes, root, file) -> changes.create(PEER, root, NAME, new Creation.Unchecked(TestedStore.size(3))));
    }

    /** The test acts as the writer: it holds the writer's monitor until another file has been created. */
    private void letsOthersChangeNames(Step step) throws Exception {
        Abilities abilities = Abilities.of(temporary);
        AttributeSource source = new UnixAttributes(temporary);
        NodeTree tree = new NodeTree(temporary, source, OPTIONS.nodes(), new NamesLock());
        try (FileContents contents = new FileContents(tree, abilities, OPTIONS)) {
            PathNames names = new PathNames(temporary.getFileSystem(), true);
            Changes changes = new Changes(tree, names, source, contents, abilities, OPTIONS.durability());
            FileId root = tree.root().id();
            Creation made = new Creation.Guarded(AttributeChange.NONE);
            FileId file = changes.create(PEER, root, NAME, made).id();
            FutureTask<Object> waits = new FutureTask<>(() -> step.run(changes, root, file));
            Thread waiting = new Thread(waits);
            FutureTask<Object> other = new FutureTask<>(() -> changes.create(PEER, root, FileName.of("other"), made));
            synchronized (contents.writersOf(tree.resolve(file).node())) {
                waiting.start();
                Awaitility.await().until(() -> waiting.getState() == Thread.State.BLOCKED);
                new Thread(other).start();
                other.get(20, TimeUnit.SECONDS);
                assertThat(waits.isDone()).isFalse();
            }
            waits.get();
            assertThat(temporary.resolve("file")).hasSize(3);
        }
    }
}
