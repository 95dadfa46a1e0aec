// SPDX-License-Identifier: Apache-2.0
package org.emplace.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.emplace.faults.FaultPoints.Point;
import org.emplace.rpcrdma.ConnectionLife;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * In the life of a connection, an {@link OutOfMemoryError} or a {@link StackOverflowError} happens once, at any place.
 * The call or its connection then ends, or goes on, and everything comes back. A build tries some places, with
 * {@code -Dfaults=all} all of them: the first, the middle and the last time that each is reached.
 */
class ErrorsAtEachPlaceTest {
    private static final int SOME = 150;
    private static final int WARM_UP = 3;
    private static final long LIMIT_SECONDS = 180;

    private final FaultyClasses classes = new FaultyClasses(getClass().getClassLoader());
    private AutoCloseable life = () -> {};

    /** An error at a place, after it has been reached some times. */
    private record Fault(Point place, int passes) {}

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "rdma", "recovering-tcp", "recovering-rdma"})
    void nothingWaitsOrIsLost(String kind) throws Exception {
        open(kind);
        for (int i = 0; i < WARM_UP; i++) {
            assertThat(livesAndLeaves()).as("without an error").isEmpty();
        }
        List<String> wrong = new ArrayList<>();
        int happened = 0;
        for (Fault fault : faults()) {
            FaultPoints.arm(fault.place(), fault.passes());
            String during = lives();
            happened += FaultPoints.disarm() ? 1 : 0;
            String after = leaves();
            if (!during.isEmpty() || !after.isEmpty()) {
                wrong.add(fault + ": " + during + " / " + after);
                open(kind);
                livesAndLeaves();
            }
        }

        assertThat(wrong).isEmpty();
        assertThat(happened).isPositive();
    }

    private List<Fault> faults() throws Exception {
        FaultPoints.record();
        lives();
        Map<Point, Integer> reached = FaultPoints.recorded();
        List<Fault> all = new ArrayList<>();
        reached.forEach((place, times) -> new TreeSet<>(Arrays.asList(0, times / 2, times - 1))
                .forEach(passes -> all.add(new Fault(place, passes))));
        if ("all".equals(System.getProperty("faults"))) {
            return all;
        }
        // The same ones in each build: a build must not fail by chance.
        Collections.shuffle(all, new Random(1));
        return all.subList(0, Math.min(SOME, all.size()));
    }

    private void open(String kind) throws Exception {
        AutoCloseable before = life;
        Thread closing = new Thread(() -> close(before));
        closing.setDaemon(true);
        closing.start();
        life = Class.forName(ConnectionLife.class.getName(), true, classes)
                .asSubclass(AutoCloseable.class)
                .getConstructor(String.class)
                .newInstance(kind);
    }

    @AfterEach
    void close() {
        close(life);
    }

    private static void close(AutoCloseable before) {
        try {
            before.close();
        } catch (Exception late) {
            throw new IllegalStateException(late);
        }
    }

    private String livesAndLeaves() throws Exception {
        return lives() + leaves();
    }

    @SuppressWarnings("unchecked") // ConnectionLife is one, but another class loader has loaded it
    private String lives() throws Exception {
        return onAThread((Callable<String>) life);
    }

    @SuppressWarnings("unchecked") // as above
    private String leaves() throws Exception {
        return onAThread(((Supplier<String>) life)::get);
    }

    /** Runs a part of the test that may not end. */
    private String onAThread(Callable<String> part) throws Exception {
        FutureTask<String> task = new FutureTask<>(part);
        Thread thread = new Thread(task, "life");
        thread.setContextClassLoader(classes);
        thread.setDaemon(true);
        thread.start();
        try {
            return task.get(LIMIT_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException hangs) {
            return "does not end: " + Arrays.toString(thread.getStackTrace());
        }
    }
}
