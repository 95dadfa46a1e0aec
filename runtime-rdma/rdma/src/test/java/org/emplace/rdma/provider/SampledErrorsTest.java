// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.provider;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.emplace.rdma.provider.RdmaCounters.SampledErrors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** However often a peer causes an error, the log stays short. */
final class SampledErrorsTest {
    private final Logger logger = Logger.getLogger(SampledErrors.class.getName());
    private final Recording recording = new Recording();
    private final SampledErrors errors = new SampledErrors();

    @BeforeEach
    void record() {
        logger.setUseParentHandlers(false);
        logger.addHandler(recording);
    }

    @AfterEach
    void restore() {
        logger.removeHandler(recording);
        logger.setUseParentHandlers(true);
    }

    @Test
    void errorsAreLoggedEverMoreSeldom() {
        for (int i = 0; i < 1000; i++) {
            errors.log("a connection", "serving it failed", new IllegalStateException("as the test wants it"));
            errors.shortage("there is no memory");
        }
        assertThat(recording.records).hasSize(2 * 10);
        assertThat(recording.records.get(0).getMessage())
                .isEqualTo("a connection: serving it failed: java.lang.IllegalStateException: as the test wants it;"
                        + " such events so far: 1");
        assertThat(recording.records.get(0).getThrown()).isInstanceOf(IllegalStateException.class);
    }

    /** A peer can cause it, so its stack trace says little. */
    @Test
    void lackOfMemoryIsOneLine() {
        errors.log("a connection", "serving it failed", new OutOfMemoryError("as the test wants it"));
        assertThat(recording.records).hasSize(1).allMatch(record -> record.getThrown() == null);
    }

    @Test
    void anErrorThatCannotBeDescribedDisturbsNobody() {
        errors.log("a connection", "serving it failed", new IllegalStateException() {
            private static final long serialVersionUID = 1L;

            @Override
            public String getMessage() {
                throw new StackOverflowError("as the test wants it");
            }
        });
        assertThat(recording.records).isEmpty();
    }

    private static final class Recording extends Handler {
        private final List<LogRecord> records = new ArrayList<>();

        @Override
        public void publish(LogRecord record) {
            records.add(record);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
