// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.command;

import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import org.emplace.samples.nfs.client.copy.TreeCopy.CopyListener;

/** Shows the progress of a copy on a terminal, in one line that is rewritten a few times a second. Elsewhere it only reports failures. */
public final class Progress implements CopyListener, AutoCloseable {
    private static final long NANOS_BETWEEN = Duration.ofMillis(200).toNanos();
    private static final String TO_LINE_START_AND_CLEAR = "\r\033[K";

    private final Failures failures;
    private final PrintStream terminal;
    private final boolean shown;
    private final long start = System.nanoTime();
    private long files;
    private long bytesPlanned;
    private long bytesMoved;
    private long nextLine = start + NANOS_BETWEEN;
    private boolean lineStands;

    /** @param shown whether to show the line */
    public Progress(Failures failures, boolean shown) {
        this.failures = failures;
        this.terminal = System.err;
        this.shown = shown;
    }

    @Override
    public synchronized void planned(long bytes) {
        files++;
        bytesPlanned += Math.max(0, bytes);
    }

    @Override
    public synchronized void moved(long bytes) {
        bytesMoved += bytes;
        long now = System.nanoTime();
        if (shown && now - nextLine >= 0) {
            nextLine = now + NANOS_BETWEEN;
            lineStands = true;
            terminal.print(TO_LINE_START_AND_CLEAR + line(now - start));
            terminal.flush();
        }
    }

    @Override
    public synchronized void failed(String what, IOException cause) {
        clear();
        failures.report(what, cause);
    }

    private String line(long nanos) {
        double perSecond = bytesMoved * 1e9 / Math.max(1, nanos);
        long left = Math.max(0, bytesPlanned - bytesMoved);
        long seconds = Math.round(left / Math.max(1, perSecond));
        long percent = bytesPlanned == 0 ? 100 : Math.min(100, Math.round(bytesMoved * 100.0 / bytesPlanned));
        return String.format(
                Locale.ROOT,
                "%3d %%  %.1f of %.1f MB  %.1f MB/s  ETA %d:%02d  %d %s",
                percent,
                bytesMoved / 1e6,
                bytesPlanned / 1e6,
                perSecond / 1e6,
                seconds / 60,
                seconds % 60,
                files,
                files == 1 ? "file" : "files");
    }

    private void clear() {
        if (lineStands) {
            terminal.print(TO_LINE_START_AND_CLEAR);
            terminal.flush();
            lineStands = false;
        }
    }

    /** Removes the line. */
    @Override
    public synchronized void close() {
        clear();
    }
}
