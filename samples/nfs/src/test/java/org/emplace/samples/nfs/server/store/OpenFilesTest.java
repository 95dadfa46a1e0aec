// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.Channel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Files stay open for a while, and closing them delays nobody. */
@Timeout(60)
class OpenFilesTest {
    private static final Duration LONG = Duration.ofHours(1);

    private final List<String> closed = Collections.synchronizedList(new ArrayList<>());
    private final List<IOException> failures = Collections.synchronizedList(new ArrayList<>());
    private OpenFiles<String, OpenFile> files = new OpenFiles<>(2, LONG, failures::add);

    /** Takes as long to close as the test wants, and then fails to close. */
    private final class OpenFile implements Channel {
        private final String name;
        private final CountDownLatch mayClose;
        private volatile boolean open = true;

        OpenFile(String name, CountDownLatch mayClose) {
            this.name = name;
            this.mayClose = mayClose;
        }

        @Override
        public boolean isOpen() {
            return open;
        }

        @Override
        public void close() throws IOException {
            open = false;
            if (name.equals("broken")) {
                throw new OutOfMemoryError("as the test wants");
            }
            try {
                mayClose.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            closed.add(name);
            throw new IOException("the disk is broken");
        }
    }

    private OpenFiles<String, OpenFile>.Use use(String name) throws IOException {
        return files.use("a client", name, () -> new OpenFile(name, new CountDownLatch(0)));
    }

    @AfterEach
    void close() {
        files.close();
    }

    @Test
    void aFileStaysOpenForItsNextUser() throws IOException {
        OpenFile first = opened("file");
        assertThat(opened("file")).isSameAs(first);
        assertThat(closed).isEmpty();
    }

    private OpenFile opened(String name) throws IOException {
        try (OpenFiles<String, OpenFile>.Use use = use(name)) {
            return use.file();
        }
    }

    @Test
    void theLeastRecentlyUsedIsClosedForAnotherOnceThoughThatFails() throws IOException {
        opened("first");
        opened("second");
        opened("first");
        opened("third");
        assertThat(closed).containsExactly("second");
        files.forget("third");
        files.forget("third");
        assertThat(closed).containsExactly("second", "third");
        assertThat(failures).hasSize(2);
    }

    @Test
    void aPeerThatUsesManyFilesClosesItsOwn() throws IOException {
        OpenFile good = opened("good");
        for (int i = 0; i < 10; i++) {
            String name = "bad " + i;
            files.use("bad", name, () -> new OpenFile(name, new CountDownLatch(0)))
                    .close();
        }
        assertThat(opened("good")).isSameAs(good);
        assertThat(closed).hasSize(9).doesNotContain("good");
    }

    @Test
    void aFileInUseIsClosedByItsLastUser() throws IOException {
        try (OpenFiles<String, OpenFile>.Use one = use("file")) {
            try (OpenFiles<String, OpenFile>.Use other = use("file")) {
                files.forget("file");
                assertThat(other.file()).isSameAs(one.file());
            }
            assertThat(closed).isEmpty();
        }
        assertThat(closed).containsExactly("file");
    }

    @Test
    void anUnusedFileIsClosedWithoutOtherUse() throws IOException {
        files = new OpenFiles<>(2, Duration.ofMillis(10), failures::add);
        try (OpenFiles<String, OpenFile>.Use inUse = use("in use")) {
            opened("idle");
            Awaitility.await().until(() -> closed.contains("idle"));
            assertThat(inUse.file().isOpen()).isTrue();
        }
        Awaitility.await().until(() -> closed.contains("in use"));
    }

    /** Interrupting a thread closes the channel that it was using. */
    @Test
    void aClosedFileIsOpenedAgain() throws IOException {
        OpenFile first = opened("file");
        first.open = false;
        assertThat(opened("file")).isNotSameAs(first);
    }

    @Test
    void anErrorInClosingOneFileLeavesNoneOpenOrToBeWaitedFor() throws IOException {
        files = new OpenFiles<>(10, LONG, failures::add);
        List<String> sound = List.of("a", "b", "c", "d", "e", "f", "g");
        opened("broken");
        for (String name : sound) {
            opened(name);
        }
        assertThatThrownBy(files::closeUnused).isInstanceOf(OutOfMemoryError.class);
        assertThat(closed).containsExactlyInAnyOrderElementsOf(sound);
        for (String name : sound) {
            opened(name);
        }
    }

    /** Written data is on disk, or known to be lost, before the file is opened again. */
    @Test
    void closingDelaysOnlyUsersOfTheSameFile() throws Exception {
        CountDownLatch mayClose = new CountDownLatch(1);
        files.use("a client", "slow", () -> new OpenFile("slow", mayClose)).close();
        Thread closing = new Thread(() -> files.forget("slow"));
        closing.start();
        Awaitility.await().until(() -> closing.getState() == Thread.State.WAITING);
        opened("another");
        FutureTask<OpenFile> reopening = new FutureTask<>(() -> opened("slow"));
        Thread waiting = new Thread(reopening);
        waiting.start();
        Awaitility.await().until(() -> waiting.getState() == Thread.State.WAITING);
        assertThat(closed).isEmpty();
        mayClose.countDown();
        assertThat(reopening.get(20, TimeUnit.SECONDS).isOpen()).isTrue();
        assertThat(closed).containsExactly("slow");
    }
}
