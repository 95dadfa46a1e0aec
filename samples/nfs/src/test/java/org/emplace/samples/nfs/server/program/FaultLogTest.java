// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.logging.LogRecord;
import org.emplace.samples.nfs.server.LogRecords;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.samples.nfs.server.store.StoreException.Failure;
import org.junit.jupiter.api.Test;

class FaultLogTest {
    private static final String NAME = "org.emplace.samples.nfs.FaultLogTest";

    private final FaultLog log = new FaultLog(System.getLogger(NAME));

    @Test
    void theSecondFourthAndEighthFailureAreLoggedInALineEach() {
        try (LogRecords records = new LogRecords(NAME)) {
            for (int i = 0; i < 1000; i++) {
                log.failed(Level.WARNING, "READ", new IOException("disk " + i));
            }
            assertThat(records.all()).hasSize(10).allMatch(line -> line.getThrown() == null);
            assertThat(records.all().get(0).getMessage()).isEqualTo("READ failed: java.io.IOException: disk 0");
            assertThat(records.all().get(9).getMessage()).endsWith("disk 511 (failures like this so far: 512)");
        }
    }

    @Test
    void otherProceduresAndKindsCountForThemselves() {
        try (LogRecords records = new LogRecords(NAME)) {
            for (int i = 0; i < 3; i++) {
                log.failed(Level.WARNING, "READ", new IOException("x"));
                log.failed(Level.WARNING, "WRITE", new IOException("x"));
                log.failed(Level.WARNING, "WRITE", new IllegalStateException("x"));
            }
            assertThat(records.all()).hasSize(6);
        }
    }

    /** A peer can have a call fail with JUKEBOX as often as it likes. */
    @Test
    void failuresThatPassDoNotHideADiskError() {
        try (LogRecords records = new LogRecords(NAME)) {
            for (int i = 0; i < 1000; i++) {
                log.failed(Level.INFO, "WRITE", new StoreException(Failure.JUKEBOX, "no data"));
            }
            log.failed(Level.WARNING, "WRITE", new StoreException(Failure.IO, "the disk"));
            assertThat(records.all()).hasSize(11);
            assertThat(records.all().get(10).getMessage()).endsWith("the disk");
        }
    }

    @Test
    void onlyTheFirstErrorOfTheProgramHasAStackTrace() {
        try (LogRecords records = new LogRecords(NAME)) {
            for (int i = 0; i < 100; i++) {
                log.broken("READ", new IllegalStateException("x"));
            }
            assertThat(records.all()).hasSize(7);
            assertThat(records.all())
                    .filteredOn(line -> line.getThrown() != null)
                    .hasSize(1);
        }
    }

    @Test
    void clientsDoNotWriteLinesOfTheirOwn() {
        try (LogRecords records = new LogRecords(NAME)) {
            log.failed(Level.WARNING, "READ", new IOException("a\nSEVERE: b\u2028c\u202ed" + "x".repeat(10_000)));
            LogRecord line = records.all().get(0);
            assertThat(line.getMessage()).startsWith("READ failed: java.io.IOException: a?SEVERE: b?c?dxxx");
            assertThat(line.getMessage()).hasSizeLessThan(600);
        }
    }
}
