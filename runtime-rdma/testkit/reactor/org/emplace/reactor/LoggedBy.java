// SPDX-License-Identifier: Apache-2.0
package org.emplace.reactor;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Collects what classes log, in place of the log, until it is closed. */
public final class LoggedBy extends Handler implements AutoCloseable {
    private final List<Logger> loggers;
    private final List<LogRecord> records = new CopyOnWriteArrayList<>();

    private LoggedBy(List<Logger> loggers) {
        this.loggers = loggers;
    }

    /** Starts to collect what these classes log at INFO or above. */
    public static LoggedBy logger(Class<?>... classes) {
        return names(List.of(classes).stream().map(Class::getName).toArray(String[]::new));
    }

    /** Starts to collect what loggers of these names log at INFO or above. */
    public static LoggedBy names(String... names) {
        LoggedBy logged =
                new LoggedBy(List.of(names).stream().map(Logger::getLogger).toList());
        for (Logger logger : logged.loggers) {
            logger.addHandler(logged);
            logger.setUseParentHandlers(false);
        }
        return logged;
    }

    /** The messages so far, without their parameters. */
    public List<String> messages() {
        return records.stream().map(LogRecord::getMessage).toList();
    }

    /** The number of messages of this level. */
    public long count(Level level) {
        return records.stream()
                .filter(record -> record.getLevel().equals(level))
                .count();
    }

    /** Whether a message has a stack trace. */
    public boolean hasStackTrace() {
        return records.stream().anyMatch(record -> record.getThrown() != null);
    }

    @Override
    public void publish(LogRecord record) {
        records.add(record);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        for (Logger logger : loggers) {
            logger.removeHandler(this);
            logger.setUseParentHandlers(true);
        }
    }
}
