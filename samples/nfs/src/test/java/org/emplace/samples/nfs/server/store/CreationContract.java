// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.samples.nfs.server.store.TestedStore.assertFailure;
import static org.emplace.samples.nfs.server.store.TestedStore.mode;
import static org.emplace.samples.nfs.server.store.TestedStore.size;

import java.io.IOException;
import java.util.Optional;
import org.emplace.samples.nfs.server.store.AttributeChange.NewTime;
import org.emplace.samples.nfs.server.store.Creation.Exclusive;
import org.emplace.samples.nfs.server.store.Creation.Guarded;
import org.emplace.samples.nfs.server.store.Creation.Unchecked;
import org.emplace.samples.nfs.server.store.Store.CreationResult;
import org.emplace.samples.nfs.server.store.Store.WeakCacheConsistency;
import org.emplace.samples.nfs.server.store.StoreException.Failure;
import org.emplace.samples.nfs.server.store.StoreFixture.Feature;
import org.junit.jupiter.api.Test;

/** The three kinds of CREATE, also repeated, and the attributes of new files. */
public interface CreationContract {
    TestedStore tested();

    @Test
    default void aGuardedCreationNeedsAFreeName() throws IOException {
        FileId root = tested().root();
        FileId file = tested().create(root, "file", "text");
        assertFailure(() -> tested().create(root, "file", new Guarded(size(0))), Failure.EXIST);
        assertThat(tested().read(file)).isEqualTo("text");
    }

    @Test
    default void anUncheckedCreationAcceptsAnExistingFile() throws IOException {
        FileId root = tested().root();
        FileId file = tested().create(root, "file", new Unchecked(mode(0640))).id();
        tested().write(file, 0, "text");
        FileAttributes before = tested().attributes(file);
        CreationResult again = tested().create(root, "file", new Unchecked(mode(0600)));
        assertThat(again.id()).isEqualTo(file);
        assertThat(again.file().attributes().mode()).isEqualTo(before.mode());
        assertThat(tested().read(file)).isEqualTo("text");
        assertThat(tested().create(root, "file", new Unchecked(size(2))).id()).isEqualTo(file);
        assertThat(tested().read(file)).isEqualTo("te");
        CreationResult emptied = tested().create(root, "file", new Unchecked(size(0)));
        assertThat(emptied.file().attributes().size()).isZero();
        assertThat(emptied.id()).isEqualTo(file);
    }

    @Test
    default void anUncheckedCreationAcceptsOnlyAFile() throws IOException {
        FileId root = tested().root();
        tested().makeDirectory(root, "directory");
        FileId target = tested().create(root, "target", "text");
        assertFailure(() -> tested().create(root, "directory", new Unchecked(size(0))), Failure.EXIST);
        if (tested().limits().symbolicLinks()) {
            tested().makeLink(root, "link", "target");
            tested().makeLink(root, "dangling", "nothing");
            assertFailure(() -> tested().create(root, "link", new Unchecked(size(0))), Failure.EXIST);
            assertFailure(() -> tested().create(root, "dangling", new Unchecked(size(0))), Failure.EXIST);
            assertFailure(() -> tested().lookup("nothing"), Failure.NOENT);
        }
        assertThat(tested().read(target)).isEqualTo("text");
    }

    @Test
    default void anExclusiveCreationCanBeRepeatedByItsSenderAlone() throws IOException {
        FileId root = tested().root();
        for (long verifier : new long[] {0x89abcdef12345678L, 1, -1, 0, 1L << 40}) {
            String name = "file" + verifier;
            FileId file = tested().create(root, name, new Exclusive(verifier)).id();
            assertThat(tested().create(root, name, new Exclusive(verifier)).id())
                    .isEqualTo(file);
            assertFailure(() -> tested().create(root, name, new Exclusive(verifier ^ 1)), Failure.EXIST);
            assertFailure(() -> tested().create(root, name, new Exclusive(verifier ^ (1L << 33))), Failure.EXIST);
            assertFailure(() -> tested().create(root, name), Failure.EXIST);
        }
    }

    @Test
    default void anExclusiveCreationCanBeRepeatedAfterARestart() throws IOException {
        long verifier = 0x0123456789abcdefL;
        FileId file = tested().create(tested().root(), "file", new Exclusive(verifier))
                .id();
        tested().restart();
        FileId root = tested().root();
        FileId again = tested().create(root, "file", new Exclusive(verifier)).id();
        assertThat(again.equals(file)).isEqualTo(tested().limits().lasting());
        assertFailure(() -> tested().create(root, "file", new Exclusive(verifier + 1)), Failure.EXIST);
    }

    @Test
    default void anExclusiveCreationNeedsAFreeName() throws IOException {
        FileId root = tested().root();
        tested().create(root, "file");
        tested().makeDirectory(root, "directory");
        assertFailure(() -> tested().create(root, "file", new Exclusive(5)), Failure.EXIST);
        assertFailure(() -> tested().create(root, "directory", new Exclusive(5)), Failure.EXIST);
    }

    /** A client that guesses another's verifier cannot have it take a file of its own contents for new. */
    @Test
    default void anExclusiveCreationTakesNoFileThatHoldsSomething() throws IOException {
        FileId root = tested().root();
        FileAttributes made =
                tested().create(root, "file", new Exclusive(5)).file().attributes();
        FileId file = tested().lookup("file");
        tested().write(file, 0, "text");
        tested().set(file, TestedStore.times(made.accessed(), made.modified()));
        assertThat(tested().attributes(file).modified()).isEqualTo(made.modified());
        assertFailure(() -> tested().create(root, "file", new Exclusive(5)), Failure.EXIST);
        assertThat(tested().read(file)).isEqualTo("text");
    }

    @Test
    default void afterAnExclusiveCreationTheClientSetsTheAttributes() throws IOException {
        FileId file =
                tested().create(tested().root(), "file", new Exclusive(77)).id();
        NewTime now = new NewTime.ServersNow();
        tested().set(
                        file,
                        new AttributeChange(
                                Optional.of(0644), Optional.empty(), Optional.empty(), Optional.of(0L), now, now));
        FileAttributes attributes = tested().attributes(file);
        assertThat(attributes.modified().toMillis()).isGreaterThan(1_600_000_000_000L);
        if (tested().can(Feature.MODES)) {
            assertThat(attributes.mode()).isEqualTo(0644);
        }
    }

    @Test
    default void newFilesHaveTheRequestedAttributes() throws IOException {
        FileId root = tested().root();
        AttributeChange wanted = new AttributeChange(
                Optional.of(0640),
                Optional.empty(),
                Optional.empty(),
                Optional.of(10L),
                new NewTime.Kept(),
                new NewTime.Kept());
        CreationResult file = tested().create(root, "file", new Guarded(wanted));
        assertThat(file.file().attributes().size()).isEqualTo(10);
        CreationResult directory =
                tested().store().makeDirectory(tested().caller(), root, FileName.of("directory"), mode(0750));
        if (tested().can(Feature.MODES)) {
            assertThat(file.file().attributes().mode()).isEqualTo(0640);
            assertThat(directory.file().attributes().mode()).isEqualTo(0750);
        }
        assertThat(tested().store().file(file.id())).isEqualTo(file.file());
        assertThat(tested().read(file.id())).isEqualTo("\0".repeat(10));
    }

    @Test
    default void newFilesWithoutAModeHaveTheDefault() throws IOException {
        FileId root = tested().root();
        assertThat(tested().attributes(tested().create(root, "file")).mode()).isEqualTo(0644);
        assertThat(tested().attributes(tested().makeDirectory(root, "directory"))
                        .mode())
                .isEqualTo(0755);
    }

    @Test
    default void aReadOnlyFileCanStillBeWrittenByItsCreator() throws IOException {
        FileId file = tested().create(tested().root(), "file", new Guarded(mode(0444)))
                .id();
        if (!tested().can(Feature.MAKERS_WRITE_READ_ONLY_FILES)) {
            assertFailure(() -> tested().write(file, 0, "hello"), Failure.ACCES);
            return;
        }
        tested().write(file, 0, "hello");
        assertThat(tested().read(file)).isEqualTo("hello");
        if (tested().can(Feature.MODES)) {
            assertThat(tested().attributes(file).mode()).isEqualTo(0444);
        }
    }

    @Test
    default void creationsReturnTheDirectoryBeforeAndAfter() throws IOException {
        FileId root = tested().root();
        FileAttributes before = tested().attributes(root);
        WeakCacheConsistency file =
                tested().create(root, "file", new Guarded(AttributeChange.NONE)).directory();
        assertThat(file.before()).map(FileAttributes::changed).contains(before.changed());
        assertThat(file.after()).contains(tested().attributes(root));
        WeakCacheConsistency directory = tested().store()
                .makeDirectory(tested().caller(), root, FileName.of("directory"), AttributeChange.NONE)
                .directory();
        assertThat(directory.before()).isEqualTo(file.after());
        assertThat(directory.after()).contains(tested().attributes(root));
    }
}
