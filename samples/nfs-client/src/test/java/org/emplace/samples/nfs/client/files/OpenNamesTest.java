// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.emplace.samples.nfs.client.OneDirectoryServer;
import org.emplace.samples.nfs.protocol.Diropargs3;
import org.emplace.samples.nfs.protocol.NfsFh3;
import org.emplace.xdr.XdrString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Files that are opened, renamed and closed at the same time. */
@Timeout(60)
class OpenNamesTest {
    private static final NfsFh3 FILE = OneDirectoryServer.handle("file");
    private static final XdrString NAME = XdrString.of("f");

    private final Set<NfsFh3> inUse = new HashSet<>();
    private final OpenNames names = new OpenNames(inUse::contains);

    private static Diropargs3 place(String name) {
        return new Diropargs3(OneDirectoryServer.ROOT, XdrString.of(name));
    }

    @Test
    void anOpeningWaitsForAChangeOfItsNameThatItHasMet() throws Exception {
        try (OpenNames.Opening opening = names.opening()) {
            OpenNames.Change change = names.begin(null, List.of(place("f")));
            FutureTask<Boolean> opened = waiting(() -> opening.opened(FILE, NAME));
            names.end(change);
            assertThat(opened.get()).isTrue();
        }
    }

    @Test
    void anOpeningMeetsNeitherItsOwnChangeNorOneOfAnotherName() throws Exception {
        try (OpenNames.Opening opening = names.opening()) {
            names.end(names.begin(opening, List.of(place("f"))));
            OpenNames.Change other = names.begin(null, List.of(place("g")));
            assertThat(opening.opened(FILE, NAME)).isFalse();
            names.end(other);
        }
    }

    @Test
    void aFileIsOpenUnderTheNameThatItHasBeenGivenMeanwhile() throws Exception {
        try (OpenNames.Opening opening = names.opening()) {
            names.end(names.begin(null, List.of(place("f"), place("g"))));
            assertThat(opening.opened(FILE, NAME)).isTrue();
            assertThat(names.mayBeOpen(XdrString.of("g"))).isTrue();
        }
    }

    @Test
    void aFileIsNotOpenedWhileItsHiddenNamesAreRemoved() throws Exception {
        try (OpenNames.Opening opening = names.opening()) {
            opening.opened(FILE, NAME);
            assertThat(names.hide(FILE, place(".nfs1"))).isTrue();
            assertThat(names.closing(FILE)).containsExactly(place(".nfs1"));
            assertThat(names.hide(FILE, place(".nfs2"))).isFalse();
            FutureTask<Boolean> opened = waiting(() -> opening.opened(FILE, NAME));
            names.closed(FILE);
            assertThat(opened.get()).isTrue();
            assertThat(names.isOpen(FILE)).isTrue();
        }
    }

    @Test
    void aFileWithoutHiddenNamesIsClosedAtOnce() throws Exception {
        try (OpenNames.Opening opening = names.opening()) {
            opening.opened(FILE, NAME);
            assertThat(names.closing(FILE)).isEmpty();
            assertThat(names.isOpen(FILE)).isFalse();
            assertThat(opening.opened(FILE, NAME)).isFalse();
        }
    }

    /** It may have been opened again after its last channel was closed. */
    @Test
    void aFileThatAnotherChannelHasOpenStaysOpenUntilThatIsClosed() throws Exception {
        try (OpenNames.Opening opening = names.opening()) {
            opening.opened(FILE, NAME);
            names.hide(FILE, place(".nfs1"));
            inUse.add(FILE);
            assertThat(names.closing(FILE)).isEmpty();
            assertThat(names.isOpen(FILE)).isTrue();
            inUse.remove(FILE);
            assertThat(names.closing(FILE)).containsExactly(place(".nfs1"));
            assertThat(names.isOpen(FILE)).isFalse();
        }
    }

    /** Starts a thread, and returns when it waits. */
    private static FutureTask<Boolean> waiting(Callable<Boolean> work) throws InterruptedException {
        FutureTask<Boolean> task = new FutureTask<>(work);
        Thread thread = new Thread(task);
        thread.start();
        while (thread.getState() != Thread.State.WAITING) {
            assertThat(thread.getState()).isNotEqualTo(Thread.State.TERMINATED);
            Thread.sleep(1);
        }
        return task;
    }
}
