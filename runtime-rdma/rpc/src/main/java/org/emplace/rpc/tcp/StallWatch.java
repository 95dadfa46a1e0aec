// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.tcp;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.emplace.rpc.transport.Timekeeper;

/** Notices a peer that takes no data: one that would otherwise hold the memory of what waits to be written for ever. */
final class StallWatch {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final RecordWriter writer;
    private final Timekeeper time;
    private final Runnable stalled;
    private final AtomicBoolean watching = new AtomicBoolean();

    StallWatch(RecordWriter writer, Timekeeper time, Runnable stalled) {
        this.writer = writer;
        this.time = time;
        this.stalled = stalled;
    }

    /** The channel takes no more for now: watches until everything is written. */
    void blocked() {
        if (watching.compareAndSet(false, true)) {
            watch();
        }
    }

    private void watch() {
        long before = writer.bytesWritten();
        // The timer's handle is not kept: it looks once and finds an empty queue where the connection has ended.
        Timekeeper.Timer unused = time.after(LIMIT, () -> look(before));
    }

    private void look(long before) {
        if (writer.isEmpty()) {
            watching.set(false);
        } else if (writer.bytesWritten() == before) {
            stalled.run();
        } else {
            watch();
        }
    }
}
