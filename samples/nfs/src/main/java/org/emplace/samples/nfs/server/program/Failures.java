// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.program;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.function.Consumer;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.samples.nfs.server.store.StoreException.Failure;

/**
 * Finds the status of calls that failed.
 *
 * @param failed receives the procedure or operation, such as {@code READ}, of each failure
 * @param faults logs failures of the server
 */
public record Failures(Consumer<String> failed, FaultLog faults) {
    /** With a log of its own. */
    public Failures(Consumer<String> failed) {
        this(failed, new FaultLog(System.getLogger(FaultLog.class.getName())));
    }

    /** Returns the status for an exception, and logs it if the server is at fault. */
    public Failure of(String procedure, Exception thrown) {
        failed.accept(procedure);
        if (thrown instanceof StoreException known) {
            switch (known.failure()) {
                case IO, SERVERFAULT -> faults.failed(Level.WARNING, procedure, thrown);
                case JUKEBOX -> faults.failed(Level.INFO, procedure, thrown);
                default -> faults.refused(procedure, thrown);
            }
            return known.failure();
        } else if (thrown instanceof IOException) {
            faults.failed(Level.WARNING, procedure, thrown);
            return Failure.IO;
        }
        faults.broken(procedure, thrown);
        return Failure.SERVERFAULT;
    }

    /** Counts and logs a call that the protocol rejects. */
    public void refused(String procedure, Exception thrown) {
        failed.accept(procedure);
        faults.refused(procedure, thrown);
    }
}
