// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.program;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.emplace.reactor.LogSampler;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.samples.nfs.server.store.StoreException.Failure;

/**
 * Logs calls that failed because of the server. Of the failures of one procedure with one status by one exception class, it logs the 1st, 2nd, 4th, 8th
 * and so on, with their number. So failures that pass and that peers can cause, such as JUKEBOX, hide no disk error. Peers can control neither the length
 * of the log nor the number of lines of an entry. Safe for use by several threads.
 */
public final class FaultLog {
    private static final int LONGEST_MESSAGE = 500;

    private final Logger log;
    private final Map<Kind, LogSampler> samplers = new ConcurrentHashMap<>();

    public FaultLog(Logger log) {
        this.log = log;
    }

    private record Kind(String procedure, Class<?> thrown, Optional<Failure> status) {}

    /** Logs one line for a failure outside the server's program, such as a disk error or a lack of memory. */
    public void failed(Level level, String procedure, Throwable failure) {
        sampler(procedure, failure).event(count -> log.log(level, line(procedure, failure, count)));
    }

    /** Logs an error in the server's program, with a stack trace the first time. */
    public void broken(String procedure, Throwable failure) {
        sampler(procedure, failure)
                .event(count -> log.log(Level.ERROR, line(procedure, failure, count), count == 1 ? failure : null));
    }

    /** Logs a call that the protocol rejects, at level DEBUG. */
    public void refused(String procedure, Throwable failure) {
        log.log(Level.DEBUG, () -> procedure + ": " + printable(failure.toString()));
    }

    /** Logs a mount that was refused. Its user sees no more than the status. */
    public void mountRefused(String client, String path, Throwable failure) {
        sampler("mount", failure)
                .event(count -> log.log(
                        Level.INFO,
                        client + " may not mount " + printable(path) + ": "
                                + printable(String.valueOf(failure.getMessage()))
                                + "; mounts refused for such reasons so far: " + count));
    }

    private LogSampler sampler(String procedure, Throwable failure) {
        Optional<Failure> status =
                failure instanceof StoreException known ? Optional.of(known.failure()) : Optional.empty();
        return samplers.computeIfAbsent(new Kind(procedure, failure.getClass(), status), first -> new LogSampler());
    }

    private static String line(String procedure, Throwable failure, long count) {
        return procedure + " failed: " + printable(failure.toString())
                + (count == 1 ? "" : " (failures like this so far: " + count + ")");
    }

    /** Makes text printable, because messages may contain names that clients chose. */
    private static String printable(String text) {
        String printable = text.replaceAll("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]", "?");
        return printable.length() <= LONGEST_MESSAGE ? printable : printable.substring(0, LONGEST_MESSAGE) + "...";
    }
}
