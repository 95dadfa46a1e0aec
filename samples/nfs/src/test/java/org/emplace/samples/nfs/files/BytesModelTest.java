// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.files;

import static org.assertj.core.api.Assertions.fail;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.file.FileSystem;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.emplace.samples.nfs.files.ModelThread.View;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Threads of one or two clients read, write, truncate and append to files by several channels, and create, replace and remove one of them, while the server
 * fails and crashes, connections are cut or go silent, and threads are interrupted. What they see, and what is on the server's disk in the
 * end, is what a POSIX program may see. {@code -Dmodel.operations=100000} does more, {@code -Dmodel.atOnce=16} that many rounds at a time,
 * since a round mostly waits; {@code -Dmodel.seed=N} begins with the round of a failure. A failing round is made smaller before it is
 * reported.
 */
@Timeout(36_000)
class BytesModelTest {
    private static final int OPERATIONS = Integer.getInteger("model.operations", 4_000);
    private static final int AT_ONCE = Integer.getInteger("model.atOnce", 2);
    private static final int THREADS = 4;
    private static final int STEPS = 100;
    private static final int TRIES = 10;
    private static final long SHRINKING_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final int LONG_TIMEOUT = 300;
    private static final int SHORT_TIMEOUT = 10;

    private enum Trouble {
        FAULTS,
        CUTS,
        INTERRUPTS,
        CRASHES,
        SILENCE
    }

    /**
     * A round. Its outcome depends on the threads' timing, too.
     *
     * @param seed of everything but the operations
     * @param steps the seeds of each thread's operations
     */
    private record Round(String protocol, long seed, Set<Trouble> troubles, List<List<Long>> steps) {
        static Round of(String protocol, long seed) {
            Random random = new Random(seed);
            Set<Trouble> troubles = EnumSet.allOf(Trouble.class);
            troubles.removeIf(each -> random.nextInt(3) == 0);
            return new Round(
                    protocol,
                    seed,
                    troubles,
                    Stream.generate(() -> random.longs(STEPS).boxed().toList())
                            .limit(THREADS)
                            .toList());
        }

        Round without(Trouble trouble) {
            Set<Trouble> fewer = EnumSet.noneOf(Trouble.class);
            fewer.addAll(troubles);
            fewer.remove(trouble);
            return new Round(protocol, seed, fewer, steps);
        }

        Round without(int thread, int from, int to) {
            List<List<Long>> fewer = new ArrayList<>(steps);
            List<Long> left = new ArrayList<>(steps.get(thread));
            left.subList(from, Math.min(to, left.size())).clear();
            fewer.set(thread, left);
            return new Round(protocol, seed, troubles, fewer);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "rdma"})
    void everyByteIsTheLastOneThatWasWritten(String protocol) throws Exception {
        long first = Long.getLong("model.seed", System.nanoTime());
        ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);
        try {
            List<Future<String>> outcomes = new ArrayList<>();
            for (int done = 0; done < OPERATIONS; done += THREADS * STEPS) {
                Round round = Round.of(protocol, first + outcomes.size());
                outcomes.add(threads.submit(() -> run(round)));
            }
            for (int i = 0; i < outcomes.size(); i++) {
                String wrong = outcomes.get(i).get();
                if (!wrong.isEmpty()) {
                    threads.shutdownNow();
                    fail("-Dmodel.seed=%d: %s%n%s", first + i, wrong, smaller(Round.of(protocol, first + i)));
                }
            }
        } finally {
            threads.shutdownNow();
            threads.awaitTermination(1, TimeUnit.MINUTES);
        }
    }

    /** Drops troubles and operations without which a round still fails, and describes the rest. */
    private static String smaller(Round failing) throws Exception {
        long start = System.nanoTime();
        Round round = failing;
        String wrong = "";
        for (Trouble trouble : failing.troubles()) {
            String other = tried(round.without(trouble), start);
            round = other.isEmpty() ? round : round.without(trouble);
            wrong = other.isEmpty() ? wrong : other;
        }
        for (int size = STEPS; size > 0; size /= 2) {
            for (int thread = 0; thread < THREADS; thread++) {
                for (int from = 0; from < round.steps().get(thread).size(); ) {
                    String other = tried(round.without(thread, from, from + size), start);
                    if (other.isEmpty()) {
                        from += size;
                    } else {
                        wrong = other;
                        round = round.without(thread, from, from + size);
                    }
                }
            }
        }
        return wrong.isEmpty() ? "no smaller round has failed" : "smaller, with " + round.troubles() + ": " + wrong;
    }

    /** What is wrong after one of several tries. */
    private static String tried(Round round, long start) throws Exception {
        String wrong = "";
        for (int i = 0; i < TRIES && wrong.isEmpty() && System.nanoTime() - start < SHRINKING_NANOS; i++) {
            wrong = run(round);
        }
        return wrong;
    }

    /** Returns what is wrong, and what was done; empty if nothing is. */
    private static String run(Round round) throws Exception {
        Random random = new Random(round.seed());
        Set<Trouble> troubles = round.troubles();
        int timeout = troubles.contains(Trouble.SILENCE) ? SHORT_TIMEOUT : LONG_TIMEOUT;
        ByteHistory history = new ByteHistory(new AtomicLong());
        AppendHistory appends = new AppendHistory();
        NameHistory names = new NameHistory(history::now);
        List<ModelThread> threads = new ArrayList<>();
        List<String> wrong = new ArrayList<>();
        try (FaultyServer server = new FaultyServer(
                round.protocol(),
                round.seed(),
                troubles.contains(Trouble.FAULTS),
                troubles.contains(Trouble.CUTS),
                "bytes",
                "log")) {
            try (FileSystem first = server.mount(0, timeout);
                    FileSystem second = server.mount(1, timeout)) {
                int split = random.nextBoolean() ? ModelThread.BLOCKS : ModelThread.BLOCKS / 2;
                boolean othersReplace = random.nextBoolean() || split < ModelThread.BLOCKS;
                boolean hasLinks = server.hasLinks();
                View one = new View(first, second, 0, split, true, othersReplace, hasLinks);
                View two = new View(second, first, split, ModelThread.BLOCKS, false, othersReplace, hasLinks);
                for (int i = 0; i < THREADS; i++) {
                    View view = i % 2 == 1 && split < ModelThread.BLOCKS ? two : one;
                    threads.add(new ModelThread(i, round.steps().get(i), view, history, appends, names));
                }
                threads.forEach(Thread::start);
                while (threads.stream().anyMatch(Thread::isAlive)) {
                    Thread.sleep(1 + random.nextInt(4));
                    trouble(troubles, random, server, threads, history);
                }
            }
            server.recover();
            long now = history.now();
            history.read(now, ByteBuffer.wrap(server.onDisk("bytes")), 0, ModelThread.BLOCKS, true, "the disk");
            wrong.addAll(history.violations());
            wrong.addAll(appends.violations(server.onDisk("log")));
            if (!server.exists("named")) {
                names.missing("the disk", now, "the disk");
            }
            wrong.addAll(names.violations());
        }
        for (ModelThread thread : threads) {
            thread.broken().ifPresent(failure -> wrong.add(stackTrace(failure)));
        }
        if (wrong.isEmpty()) {
            return "";
        }
        threads.forEach(thread -> wrong.add(thread.getName() + "\n  " + String.join("\n  ", thread.trace())));
        return "%s, %s%n%s".formatted(round.protocol(), troubles, String.join("\n", wrong));
    }

    private static void trouble(
            Set<Trouble> troubles, Random random, FaultyServer server, List<ModelThread> threads, ByteHistory history)
            throws InterruptedException {
        if (troubles.contains(Trouble.INTERRUPTS) && random.nextInt(10) == 0) {
            threads.get(random.nextInt(THREADS)).interrupt();
        }
        if (troubles.contains(Trouble.CRASHES) && random.nextInt(100) == 0) {
            server.crash(history::crashed);
        }
        if (troubles.contains(Trouble.SILENCE) && random.nextInt(300) == 0) {
            server.silence();
            Thread.sleep(random.nextInt(200 * SHORT_TIMEOUT));
            server.cut();
        }
    }

    private static String stackTrace(Throwable failure) {
        StringWriter text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text));
        return text.toString();
    }
}
