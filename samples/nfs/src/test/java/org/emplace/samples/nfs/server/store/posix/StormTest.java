// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.posix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.emplace.samples.nfs.server.store.Caller;
import org.emplace.samples.nfs.server.store.posix.StormClient.Canary;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Clients race all operations against one another, while a local program replaces files, FIFOs, directories and links. Nothing outside of the export
 * may change or be read, and every operation must be answered.
 *
 * <p>{@code -Demplace.storm.operations=N} runs more operations; {@code -Demplace.storm.seed=N} makes the threads do the same operations again, though
 * not in the same order.
 */
class StormTest {
    private static final int OPERATIONS = Integer.getInteger("emplace.storm.operations", 6_000);
    private static final long SEED = Long.getLong("emplace.storm.seed", System.nanoTime());
    private static final long ANSWER = Duration.ofSeconds(10).toNanos();
    private static final int CLIENTS = 4;
    /** Most operations find nothing, or a file of another type; their number is random. */
    private static final int WANTED = OPERATIONS / 10;

    private static final Caller USER = new Caller(1001, 1001, Set.of(1002L));
    private static final Caller SUPERUSER = new Caller(0, 0, Set.of());

    @TempDir
    Path temporary;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void nothingLeavesTheTreeAndEveryCallIsAnswered(boolean index) throws Exception {
        System.out.println("storm of " + OPERATIONS + " operations, seed " + SEED);
        Canary canary = new Canary(temporary.resolve("canary"));
        Path export = Files.createDirectory(temporary.resolve("export"));
        Files.setAttribute(export, "unix:mode", 0777);
        PosixOptions options = PosixFixture.OPTIONS
                .withCallersAct(true)
                .withIndex(index)
                .withOpenFiles(16)
                .withLocated(4);
        try (PosixStore store = PosixStore.open(export, options)) {
            ExecutorService threads = Executors.newCachedThreadPool();
            List<Future<?>> clients = new ArrayList<>();
            List<StormClient> storms = new ArrayList<>();
            AtomicLong succeeded = new AtomicLong();
            LocalStorm local = new LocalStorm(export, canary.directory, new Random(SEED));
            Future<?> swaps = threads.submit(local);
            try {
                for (int i = 0; i < CLIENTS; i++) {
                    StormClient client = new StormClient(
                            store,
                            i % 2 == 0 ? USER : SUPERUSER,
                            canary.directory,
                            new Random(SEED + 1 + i),
                            OPERATIONS / CLIENTS,
                            WANTED,
                            succeeded);
                    storms.add(client);
                    clients.add(threads.submit(client));
                }
                awaitAnswers(clients, storms);
            } finally {
                local.stop();
                threads.shutdownNow();
            }
            swaps.get(60, TimeUnit.SECONDS);
            System.out.println("storm: " + succeeded + " operations succeeded, " + local.swaps() + " local swaps");
            assertThat(succeeded).hasValueGreaterThanOrEqualTo(WANTED);
            assertThat(local.swaps()).isPositive();
        }
        canary.assertUntouched();
    }

    private static void awaitAnswers(List<Future<?>> clients, List<StormClient> storms) throws Exception {
        while (!clients.stream().allMatch(Future::isDone)) {
            for (StormClient client : storms) {
                client.unansweredFor(ANSWER).ifPresent(operation -> fail("not answered: " + operation));
            }
            Thread.sleep(20);
        }
        for (Future<?> client : clients) {
            client.get();
        }
    }
}
