// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.program;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Logs the calls that failed for reasons of the server's own: of those of one procedure and one exception class the 1st, 2nd, 4th, 8th and so on, with
 * their number. Peers decide neither how long the log gets nor how many lines an entry has. Safe for use by several threads.
 */
final class FaultLog {
    private static final int LONGEST_MESSAGE = 500;

    private final Logger log;
    private final Map<Kind, Long> counts = new ConcurrentHashMap<>();

    FaultLog(Logger log) {
        this.log = log;
    }

    private record Kind(String procedure, Class<?> failure) {}

    /** Notes a failure outside the server: of a disk, of memory that ran out. One line. */
    void failed(Level level, String procedure, Throwable failure) {
        long count = count(procedure, failure);
        if (Long.bitCount(count) == 1) {
            log.log(level, line(procedure, failure, count));
        }
    }

    /** Notes what no call may cause, an error in the server's program. The first has a stack trace. */
    void broken(String procedure, Throwable failure) {
        long count = count(procedure, failure);
        if (count == 1) {
            log.log(Level.ERROR, line(procedure, failure, count), failure);
        } else if (Long.bitCount(count) == 1) {
            log.log(Level.ERROR, line(procedure, failure, count));
        }
    }

    /** Notes a call that could not succeed. */
    void refused(String procedure, Throwable failure) {
        log.log(Level.DEBUG, () -> procedure + ": " + printable(failure.toString()));
    }

    private long count(String procedure, Throwable failure) {
        return counts.merge(new Kind(procedure, failure.getClass()), 1L, Long::sum);
    }

    private static String line(String procedure, Throwable failure, long count) {
        return procedure + " failed: " + printable(failure.toString())
                + (count == 1 ? "" : " (failures like this so far: " + count + ")");
    }

    /** Names in messages may be of a client's choice. */
    private static String printable(String text) {
        String printable = text.replaceAll("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]", "?");
        return printable.length() <= LONGEST_MESSAGE ? printable : printable.substring(0, LONGEST_MESSAGE) + "...";
    }
}
