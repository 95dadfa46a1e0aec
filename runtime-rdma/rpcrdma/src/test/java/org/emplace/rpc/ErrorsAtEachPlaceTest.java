// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * After an Error at any {@code new} of the runtime, or in any code of its user, each call of the connection has ended, nothing is held, and the
 * server serves another connection. A build tries each place when it is first reached. {@code -Derrors.passes=3} also tries the second and third
 * time, and {@code -Derrors.at=regex} only some places.
 */
@Timeout(7200)
final class ErrorsAtEachPlaceTest {
    private static final int PASSES = Integer.getInteger("errors.passes", 1);
    private static final Pattern AT = Pattern.compile(System.getProperty("errors.at", "."));
    private static final Logger RUNTIME = Logger.getLogger("org.emplace");

    private final ClassLoader before = Thread.currentThread().getContextClassLoader();
    private final Thread.UncaughtExceptionHandler handler = Thread.getDefaultUncaughtExceptionHandler();

    @BeforeEach
    void useLoader() {
        Thread.currentThread().setContextClassLoader(ErrorPlaces.ALL);
        RUNTIME.setLevel(Level.OFF);
    }

    @AfterEach
    void useFormerLoader() {
        Thread.currentThread().setContextClassLoader(before);
        Thread.setDefaultUncaughtExceptionHandler(handler);
        RUNTIME.setLevel(null);
    }

    @ParameterizedTest
    @CsvSource({
        "tcp, StackOverflowError",
        "tcp+, OutOfMemoryError",
        "rdma, OutOfMemoryError",
        "rdma+, StackOverflowError"
    })
    void everythingComesBack(String scheme, String kind, TestReporter reporter) throws Exception {
        Supplier<Error> error = kind.equals("StackOverflowError") ? StackOverflowError::new : OutOfMemoryError::new;
        live(scheme); // loads classes
        ErrorPlaces.ALL.count();
        assertThat(live(scheme)).as("without an error").isEmpty();
        List<ErrorPlaces.Pass> places = ErrorPlaces.ALL.passes(PASSES);
        places.removeIf(place -> !AT.matcher(place.toString()).find());

        List<String> wrong = new ArrayList<>();
        int thrown = 0;
        for (ErrorPlaces.Pass place : places) {
            ErrorPlaces.ALL.arm(place.place(), place.number(), error);
            List<String> left = live(scheme);
            // If no thread can be started and there is none, the one that needs it does the work.
            left.removeIf(
                    what -> what.startsWith("ran a stage") && place.toString().contains("reactor.Workers"));
            thrown += ErrorPlaces.ALL.hasThrown() ? 1 : 0;
            if (!left.isEmpty()) {
                wrong.add(place + ": " + String.join("; ", left));
                reporter.publishEntry("wrong", place + ": " + String.join("; ", left));
            }
        }

        reporter.publishEntry(scheme + " " + kind, wrong.size() + " wrong of " + thrown + " places");
        assertThat(wrong).isEmpty();
    }

    @SuppressWarnings("unchecked")
    private static List<String> live(String scheme) throws ReflectiveOperationException {
        Class<?> life = ErrorPlaces.ALL.loadClass("org.emplace.rpc.OneLife");
        return ((Function<String, List<String>>) life.getDeclaredConstructor().newInstance()).apply(scheme);
    }
}
