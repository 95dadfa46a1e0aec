// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Records the log of the runtime, at level INFO and above. */
final class LogOfTheRuntime extends Handler implements AutoCloseable {
    private final Logger logger = Logger.getLogger("org.emplace");
    private final List<LogRecord> records = new ArrayList<>();

    LogOfTheRuntime() {
        setLevel(Level.INFO);
        logger.addHandler(this);
    }

    @Override
    public synchronized void publish(LogRecord record) {
        records.add(record);
    }

    synchronized int lines() {
        return records.size();
    }

    /** Whether a record has a stack trace. */
    synchronized boolean hasStackTrace() {
        return records.stream().anyMatch(record -> record.getThrown() != null);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.removeHandler(this);
    }
}
