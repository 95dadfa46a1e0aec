// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.samples.nfs.server.store.TestedStore.assertFailure;
import static org.emplace.samples.nfs.server.store.TestedStore.mode;
import static org.emplace.samples.nfs.server.store.TestedStore.owner;
import static org.emplace.samples.nfs.server.store.TestedStore.size;
import static org.emplace.samples.nfs.server.store.TestedStore.times;

import java.io.IOException;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.emplace.samples.nfs.server.store.AttributeChange.NewTime;
import org.emplace.samples.nfs.server.store.Creation.Guarded;
import org.emplace.samples.nfs.server.store.Store.AccessResult;
import org.emplace.samples.nfs.server.store.Store.AccessRights;
import org.emplace.samples.nfs.server.store.Store.DirectoryEntry;
import org.emplace.samples.nfs.server.store.Store.Limits;
import org.emplace.samples.nfs.server.store.Store.Space;
import org.emplace.samples.nfs.server.store.Store.WeakCacheConsistency;
import org.emplace.samples.nfs.server.store.StoreException.Failure;
import org.emplace.samples.nfs.server.store.StoreFixture.Feature;
import org.junit.jupiter.api.Test;

/** GETATTR, SETATTR, ACCESS, FSSTAT. */
public interface AttributesContract {
    TestedStore tested();

    private FileTime time() {
        return FileTime.from(Instant.parse(
                tested().can(Feature.NANOSECONDS) ? "2001-02-03T04:05:06.123456789Z" : "2001-02-03T04:05:06.123Z"));
    }

    @Test
    default void attributesSayWhatTheFileIs() throws IOException {
        FileId root = tested().root();
        FileId file = tested().create(root, "file", "hello");
        FileId directory = tested().makeDirectory(root, "directory");
        FileAttributes attributes = tested().attributes(file);
        assertThat(attributes.type()).isEqualTo(FileType.REGULAR);
        assertThat(attributes.size()).isEqualTo(5);
        assertThat(attributes.links()).isEqualTo(1);
        assertThat(attributes.used()).isNotNegative();
        assertThat(attributes.device()).isZero();
        assertThat(attributes.uid()).isBetween(0L, 0xffffffffL);
        assertThat(attributes.gid()).isBetween(0L, 0xffffffffL);
        assertThat(attributes.modified().toMillis()).isGreaterThan(1_600_000_000_000L);
        assertThat(tested().attributes(directory).type()).isEqualTo(FileType.DIRECTORY);
        assertThat(tested().attributes(directory).links()).isPositive();
    }

    @Test
    default void everyFileHasANumberOfItsOwn() throws IOException {
        FileId root = tested().root();
        Set<Long> numbers = new HashSet<>(Set.of(tested().attributes(root).number()));
        for (int i = 0; i < 100; i++) {
            FileId made = i % 2 == 0 ? tested().create(root, "n" + i) : tested().makeDirectory(root, "n" + i);
            assertThat(numbers.add(tested().attributes(made).number())).isTrue();
        }
        for (DirectoryEntry entry : tested().list(root, 1000).entries()) {
            assertThat(numbers).contains(entry.number());
            assertThat(entry.file().orElseThrow().attributes().number()).isEqualTo(entry.number());
        }
    }

    @Test
    default void modesAreSetExactly() throws IOException {
        FileId file = tested().create(tested().root(), "file");
        FileId directory = tested().makeDirectory(tested().root(), "directory");
        if (tested().can(Feature.MODES)) {
            for (int mode : new int[] {0751, 0600, 0444, 0000, 0777}) {
                tested().set(file, mode(mode));
                assertThat(tested().attributes(file).mode()).isEqualTo(mode);
            }
            tested().set(directory, mode(0700));
            assertThat(tested().attributes(directory).mode()).isEqualTo(0700);
        } else {
            try {
                tested().set(file, mode(0600));
            } catch (StoreException e) {
                assertThat(e.failure()).isEqualTo(Failure.NOTSUPP);
            }
        }
        if (tested().can(Feature.SET_ID_MODES)) {
            tested().set(directory, mode(01777));
            assertThat(tested().attributes(directory).mode()).isEqualTo(01777);
        }
    }

    /** If all callers act as the server's user, none may create programs that run as that user. */
    @Test
    default void programsRunAsAnotherUserOnlyWhereCallersAct() throws IOException {
        if (!tested().can(Feature.SET_ID_MODES)) {
            return;
        }
        boolean act = tested().limits().actsAsCaller();
        FileId root = tested().root();
        FileId file = tested().create(root, "file", new Guarded(mode(06755))).id();
        assertThat(tested().attributes(file).mode()).isEqualTo(act ? 06755 : 0755);
        tested().set(file, mode(06751));
        assertThat(tested().attributes(file).mode()).isEqualTo(act ? 06751 : 0751);
        FileId directory = tested().store()
                .makeDirectory(tested().caller(), root, FileName.of("directory"), mode(06755))
                .id();
        assertThat(tested().attributes(directory).mode()).isEqualTo(act ? 06755 : 02755);
        tested().set(directory, mode(06711));
        assertThat(tested().attributes(directory).mode()).isEqualTo(act ? 06711 : 02711);
    }

    @Test
    default void timesAreSetExactly() throws IOException {
        FileId root = tested().root();
        FileTime accessed = FileTime.from(Instant.parse("1999-12-31T23:59:59Z"));
        for (FileId file : new FileId[] {tested().create(root, "file"), tested().makeDirectory(root, "directory")}) {
            if (!tested().limits().setsTimes()) {
                assertFailure(() -> tested().set(file, times(accessed, time())), Failure.NOTSUPP);
                continue;
            }
            tested().set(file, times(accessed, time()));
            assertThat(tested().attributes(file).modified()).isEqualTo(time());
            assertThat(tested().attributes(file).accessed()).isEqualTo(accessed);
            tested().set(file, times(new NewTime.ServersNow(), new NewTime.Kept()));
            assertThat(tested().attributes(file).modified()).isEqualTo(time());
            assertThat(tested().attributes(file).accessed().toMillis()).isGreaterThan(1_600_000_000_000L);
            tested().set(file, times(new NewTime.Given(accessed), new NewTime.ServersNow()));
            assertThat(tested().attributes(file).modified().toMillis()).isGreaterThan(1_600_000_000_000L);
            assertThat(tested().attributes(file).accessed()).isEqualTo(accessed);
        }
    }

    @Test
    default void timesOfASymbolicLinkAreItsOwn() throws IOException {
        FileId root = tested().root();
        FileTime time = FileTime.from(Instant.parse("2001-02-03T04:05:06.123Z"));
        FileId file = tested().create(root, "file");
        FileTime before = tested().attributes(file).modified();
        if (tested().limits().symbolicLinks() && tested().limits().setsTimes()) {
            FileId link = tested().makeLink(root, "link", "file");
            tested().set(link, times(time, time));
            assertThat(tested().attributes(link).modified()).isEqualTo(time);
        }
        assertThat(tested().attributes(file).modified()).isEqualTo(before);
    }

    @Test
    default void allAttributesAreSetAtOnce() throws IOException {
        FileId file = tested().create(tested().root(), "file", "hello");
        FileAttributes before = tested().attributes(file);
        NewTime modified = tested().limits().setsTimes() ? new NewTime.Given(time()) : new NewTime.Kept();
        AttributeChange change = new AttributeChange(
                Optional.of(0604),
                Optional.of(before.uid()),
                Optional.of(before.gid()),
                Optional.of(3L),
                new NewTime.Kept(),
                modified);
        WeakCacheConsistency result = tested().set(file, change);
        FileAttributes after = tested().attributes(file);
        assertThat(after.size()).isEqualTo(3);
        if (tested().can(Feature.MODES)) {
            assertThat(after.mode()).isEqualTo(0604);
        }
        if (tested().limits().setsTimes()) {
            assertThat(after.modified()).isEqualTo(time());
        }
        assertThat(result.before()).contains(before);
        assertThat(result.after()).contains(after);
    }

    @Test
    default void aGuardThatDoesNotMatchPreventsTheChange() throws IOException {
        FileId file = tested().create(tested().root(), "file");
        Store store = tested().store();
        Caller caller = tested().caller();
        FileTime changed = tested().attributes(file).changed();
        store.setAttributes(caller, file, size(3), Optional.of(changed));
        FileTime other = FileTime.fromMillis(0);
        assertFailure(() -> store.setAttributes(caller, file, size(5), Optional.of(other)), Failure.NOT_SYNC);
        assertFailure(() -> store.setAttributes(caller, file, mode(0600), Optional.of(other)), Failure.NOT_SYNC);
        assertThat(tested().attributes(file).size()).isEqualTo(3);
        assertThat(tested().attributes(file).mode()).isEqualTo(0644);
    }

    @Test
    default void anOwnerThatIsTheOwnerCanBeSetAgain() throws IOException {
        FileId file = tested().create(tested().root(), "file");
        FileAttributes before = tested().attributes(file);
        tested().set(file, owner(before.uid(), before.gid()));
        assertThat(tested().attributes(file).uid()).isEqualTo(before.uid());
        assertThat(tested().attributes(file).gid()).isEqualTo(before.gid());
    }

    @Test
    default void anotherOwnerIsSetOrRefused() throws IOException {
        FileId file = tested().create(tested().root(), "file");
        FileAttributes before = tested().attributes(file);
        long uid = before.uid() + 1;
        try {
            tested().set(file, owner(uid, before.gid()));
        } catch (StoreException e) {
            assertThat(e.failure()).isIn(Failure.PERM, Failure.NOTSUPP);
            uid = before.uid();
        }
        assertThat(tested().attributes(file).uid()).isEqualTo(uid);
    }

    @Test
    default void accessGrantsNoMoreThanIsAsked() throws IOException {
        FileId file = tested().create(tested().root(), "file");
        FileId directory = tested().makeDirectory(tested().root(), "directory");
        for (int asked = 0; asked < 0x40; asked++) {
            for (FileId each : new FileId[] {file, directory}) {
                AccessResult granted = tested().store().access(tested().caller(), each, asked);
                assertThat(granted.rights() & ~asked).isZero();
                assertThat(granted.file()).isEqualTo(tested().attributes(each));
            }
        }
        int all = 0x3f;
        int ofDirectory =
                tested().store().access(tested().caller(), directory, all).rights();
        assertThat(ofDirectory)
                .isEqualTo(AccessRights.READ
                        | AccessRights.LOOKUP
                        | AccessRights.MODIFY
                        | AccessRights.EXTEND
                        | AccessRights.DELETE);
        int ofFile = tested().store().access(tested().caller(), file, all).rights();
        int content = AccessRights.READ | AccessRights.MODIFY | AccessRights.EXTEND;
        assertThat(ofFile & ~AccessRights.EXECUTE).isEqualTo(content);
    }

    @Test
    default void spaceIsReported() throws IOException {
        Space space = tested().store().space();
        assertThat(space.total()).isNotNegative();
        assertThat(space.free()).isBetween(0L, space.total());
        assertThat(space.available()).isBetween(0L, space.free());
        assertThat(space.totalFiles()).isNotNegative();
        assertThat(space.freeFiles()).isNotNegative();
    }

    @Test
    default void limitsAreConsistent() {
        Limits limits = tested().limits();
        assertThat(limits.readOnly()).isFalse();
        assertThat(limits.longestName()).isBetween(1, 4096);
        assertThat(limits.mostLinks()).isPositive();
        assertThat(tested().limits()).isEqualTo(limits);
    }
}
