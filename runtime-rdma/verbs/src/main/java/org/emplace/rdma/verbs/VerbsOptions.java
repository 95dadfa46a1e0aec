// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs;

import java.time.Duration;
import java.util.Locale;
import org.emplace.rdma.verbs.event.CompletionHandler;
import org.emplace.rdma.verbs.memory.RemoteAccessStrategy;
import org.emplace.rdma.verbs.memory.RemoteAccessStrategy.Mode;

/**
 * How a verbs provider behaves. Read from system properties whose names begin with {@value #PREFIX}:
 *
 * <ul>
 *   <li>{@code polling}: {@code event} (the default) or {@code busy}, which keeps a processor occupied
 *   <li>{@code spin}: with {@code event}, how long in microseconds to poll for completions before waiting for an event; 50
 *   <li>{@code registration}: how remote access to memory is granted: {@code automatic} (the default), {@code windows}, {@code call}, or {@code
 *       connection}, which is unsafe: see {@link RemoteAccessStrategy.WholeConnection}
 *   <li>{@code sends}: send requests that the device holds for a queue pair; 256
 *   <li>{@code inline}: the inline data of a send request in bytes, if the device supports that; 128
 *   <li>{@code answer}: seconds until a connection request that the consumer has not answered is rejected; 10
 * </ul>
 *
 * @param spin how long {@link CompletionHandler} polls before it waits for an event
 * @param registration how remote access to memory is granted
 * @param sends send requests that the device holds for a queue pair
 * @param inline inline data of a send request, in bytes
 * @param answerTimeout how long a connection request waits for the consumer's answer
 */
record VerbsOptions(Duration spin, Mode registration, int sends, int inline, Duration answerTimeout) {
    /** The prefix of the system properties' names. */
    static final String PREFIX = "org.emplace.rdma.verbs.";

    /**
     * Reads the options from system properties.
     *
     * @throws IllegalArgumentException if a property's value is not valid; the message names the property
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
            case "busy" -> CompletionHandler.BUSY;
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
