// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs;

import java.time.Duration;
import java.util.Locale;
import org.emplace.rdma.verbs.event.CompletionLoop;
import org.emplace.rdma.verbs.memory.RemoteAccessStrategy.Mode;

/**
 * How a verbs provider behaves. Read from system properties whose names begin with {@value #PREFIX}:
 *
 * <ul>
 *   <li>{@code polling}: {@code event} (the default) or {@code busy}, which keeps a processor occupied
 *   <li>{@code spin}: with {@code event}, the longest time in microseconds that completions are polled for before the next event; 50
 *   <li>{@code registration}: how peers are given access to memory, {@code automatic} (the default), {@code windows}, {@code call}, or {@code
 *       connection}, which is unsafe: see {@link org.emplace.rdma.verbs.memory.WholeConnection}
 *   <li>{@code sends}: send requests that a queue pair's device has at a time; 256
 *   <li>{@code inline}: bytes that a send request is to carry itself, where the device can; 128
 *   <li>{@code answer}: seconds that a connection request waits for its answer before it is rejected; 10
 * </ul>
 *
 * @param spin as {@link CompletionLoop} takes it
 * @param registration how peers are given access to memory
 * @param sends send requests of a queue pair
 * @param inline bytes
 * @param answerTimeout of a connection request
 */
record VerbsOptions(Duration spin, Mode registration, int sends, int inline, Duration answerTimeout) {
    /** What the names of the system properties begin with. */
    static final String PREFIX = "org.emplace.rdma.verbs.";

    /**
     * The options that the system properties give.
     *
     * @throws IllegalArgumentException if the value of one of them is not valid; the message names it
     */
    static VerbsOptions fromSystemProperties() {
        return new VerbsOptions(
                readSpin(),
                readRegistration(),
                number("sends", 256, 16, 1 << 15),
                number("inline", 128, 0, 1 << 10),
                Duration.ofSeconds(number("answer", 10, 1, 3600)));
    }

    private static Duration readSpin() {
        String value = property("polling", "event");
        return switch (value) {
            case "event" -> Duration.ofNanos(1000L * number("spin", 50, 0, 1_000_000));
            case "busy" -> CompletionLoop.BUSY;
            default -> throw wrong("polling", value, "event or busy");
        };
    }

    private static Mode readRegistration() {
        String value = property("registration", "automatic");
        return switch (value) {
            case "automatic" -> Mode.AUTOMATIC;
            case "windows" -> Mode.WINDOWS;
            case "call" -> Mode.PER_CALL;
            case "connection" -> Mode.CONNECTION;
            default -> throw wrong("registration", value, "automatic, windows, call or connection");
        };
    }

    private static int number(String name, int otherwise, int least, int most) {
        String value = property(name, Integer.toString(otherwise));
        try {
            int number = Integer.parseInt(value);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw wrong(name, value, "a number");
        }
        throw wrong(name, value, "between " + least + " and " + most);
    }

    private static String property(String name, String otherwise) {
        return System.getProperty(PREFIX + name, otherwise).toLowerCase(Locale.ROOT);
    }

    private static IllegalArgumentException wrong(String name, String value, String right) {
        return new IllegalArgumentException("-D" + PREFIX + name + "=" + value + ": must be " + right);
    }
}
