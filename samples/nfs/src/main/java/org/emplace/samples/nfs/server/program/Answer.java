// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.program;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.function.Function;
import org.emplace.samples.nfs.protocol.Nfsstat3;
import org.emplace.samples.nfs.server.export.ErrorMapping;
import org.emplace.samples.nfs.server.export.Failure;

/** Turns what a procedure throws into what the protocol answers. */
final class Answer {
    private static final Logger LOG = System.getLogger(Answer.class.getName());

    private Answer() {}

    /** The work of a procedure. */
    @FunctionalInterface
    interface Body<R> {
        R run() throws IOException;
    }

    /** The body's results, or the failure that its exception means. */
    static <R> R of(String procedure, Body<R> body, Function<Nfsstat3, R> failed) {
        try {
            return body.run();
        } catch (IOException | RuntimeException thrown) {
            return failed.apply(status(procedure, thrown));
        }
    }

    private static Nfsstat3 status(String procedure, Exception thrown) {
        Failure failure = ErrorMapping.failureOf(thrown);
        if (failure == Failure.SERVERFAULT || failure == Failure.IO) {
            LOG.log(Level.WARNING, procedure + " failed", thrown);
        } else if (failure == Failure.JUKEBOX) {
            LOG.log(Level.INFO, () -> procedure + " is to be tried again: " + thrown.getMessage());
        } else {
            LOG.log(Level.DEBUG, () -> procedure + " is answered with " + failure + ": " + thrown);
        }
        return Nfsstat3.of(failure.status());
    }
}
