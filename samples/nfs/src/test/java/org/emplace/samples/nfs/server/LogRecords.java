// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Records what loggers with a common prefix log at INFO and above, until it is closed. */
public final class LogRecords extends Handler implements AutoCloseable {
    private final List<LogRecord> records = new CopyOnWriteArrayList<>();
    private final Logger logger;

    public LogRecords(String name) {
        logger = Logger.getLogger(name);
        logger.addHandler(this);
    }

    public List<LogRecord> all() {
        return records;
    }

    @Override
    public void publish(LogRecord line) {
        records.add(line);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.removeHandler(this);
    }
}
