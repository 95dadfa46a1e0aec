// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs;

import java.time.Duration;
import java.util.Locale;
import org.emplace.rdma.verbs.event.Polling;
import org.emplace.rdma.verbs.memory.RemoteAccessMode;

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
 * @param polling how completions are waited for
 * @param registration how peers are given access to memory
 * @param sends send requests of a queue pair
 * @param inline bytes
 * @param answerTimeout of a connection request
 */
record VerbsOptions(Polling polling, RemoteAccessMode registration, int sends, int inline, Duration answerTimeout) {
    /** What the names of the system properties begin with. */
    static final String PREFIX = "org.emplace.rdma.verbs.";

    /**
     * What the system properties say.
     *
     * @throws IllegalArgumentException if one of them makes no sense; the message names it
     */
    static VerbsOptions fromSystemProperties() {
        return new VerbsOptions(
                readPolling(),
                readRegistration(),
                number("sends", 256, 16, 1 << 15),
                number("inline", 128, 0, 1 << 10),
                Duration.ofSeconds(number("answer", 10, 1, 3600)));
    }

    private static Polling readPolling() {
        String value = property("polling", "event");
        return switch (value) {
            case "event" -> Polling.byEvent(Duration.ofNanos(1000L * number("spin", 50, 0, 1_000_000)));
            case "busy" -> Polling.busily();
            default -> throw wrong("polling", value, "event or busy");
        };
    }

    private static RemoteAccessMode readRegistration() {
        String value = property("registration", "automatic");
        return switch (value) {
            case "automatic" -> RemoteAccessMode.AUTOMATIC;
            case "windows" -> RemoteAccessMode.WINDOWS;
            case "call" -> RemoteAccessMode.PER_CALL;
            case "connection" -> RemoteAccessMode.CONNECTION;
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
        return new IllegalArgumentException("-D" + PREFIX + name + "=" + value + ": has to be " + right);
    }
}
