// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.emplace.samples.nfs.server.store.TestedStore.assertFailure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;
import org.emplace.samples.nfs.server.store.StoreException.Failure;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Long operations of several peers take turns. */
@Timeout(60)
class TurnsTest {
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<String> begun = Collections.synchronizedList(new ArrayList<>());
    private final List<Turns.Turn> running = Collections.synchronizedList(new ArrayList<>());
    private Turns turns = new Turns(1, Duration.ofHours(1));

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    /** Returns when the operation runs or waits. */
    private void begin(String peer) {
        Thread thread = new Thread(() -> {
            try {
                Turns.Turn turn = turns.take(peer);
                begun.add(peer);
                running.add(turn);
            } catch (StoreException refused) {
                begun.add("refused");
            }
        });
        thread.setDaemon(true);
        thread.start();
        Awaitility.await()
                .until(() -> thread.getState() == Thread.State.TIMED_WAITING
                        || thread.getState() == Thread.State.TERMINATED);
    }

    /** Ends the operation that has run for longest, and waits until another one runs. */
    private void end() {
        int before = begun.size();
        running.remove(0).close();
        Awaitility.await().until(() -> begun.size() == before + 1);
    }

    @Test
    void aPeerWaitsForOneOperationOfAnotherAndNotForAll() {
        for (int i = 0; i < 5; i++) {
            begin("bad");
        }
        begin("good");
        begin("good too");
        for (int i = 0; i < 6; i++) {
            end();
        }
        assertThat(begun).containsExactly("bad", "bad", "good", "good too", "bad", "bad", "bad");
    }

    @Test
    void onePeerMayHaveAllThatRunIfNoOtherWaits() {
        turns = new Turns(3, Duration.ofHours(1));
        for (int i = 0; i < 5; i++) {
            begin("bad");
        }
        begin("good");
        begin("good");
        assertThat(begun).containsExactly("bad", "bad", "bad");
        for (int i = 0; i < 4; i++) {
            end();
        }
        assertThat(begun).containsExactly("bad", "bad", "bad", "bad", "good", "bad", "good");
    }

    @Test
    void anOperationIsRefusedAfterTheLongestWaitAndLeavesNoTrace() throws Exception {
        turns = new Turns(1, Duration.ofMillis(1));
        Turns.Turn first = turns.take("one");
        for (int i = 0; i < 3; i++) {
            assertFailure(() -> turns.take("other"), Failure.JUKEBOX);
        }
        first.close();
        first.close();
        try (Turns.Turn next = turns.take("other")) {
            assertThat(next).isNotNull();
            assertFailure(() -> turns.take("one"), Failure.JUKEBOX);
        }
    }

    @Test
    void neverMoreRunThanMay() throws Exception {
        turns = new Turns(2, Duration.ofHours(1));
        List<Integer> now = Collections.synchronizedList(new ArrayList<>());
        List<Future<?>> all = new ArrayList<>();
        for (int thread = 0; thread < 8; thread++) {
            String peer = "peer " + thread % 3;
            all.add(threads.submit(() -> {
                for (int i = 0; i < 500; i++) {
                    try (Turns.Turn turn = turns.take(peer)) {
                        assertThat(turn).isNotNull();
                        now.add(1);
                        if (now.size() > 2) {
                            fail("more than two run");
                        }
                        now.remove(0);
                    }
                }
                return peer;
            }));
        }
        for (Future<?> each : all) {
            each.get();
        }
    }
}
