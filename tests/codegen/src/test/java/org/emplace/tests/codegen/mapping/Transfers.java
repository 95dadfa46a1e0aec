// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen.mapping;

import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.emplace.rpc.CallObserver;
import org.jspecify.annotations.Nullable;

/** Counts the ways in which calls have moved their bytes. Safe for use by several threads. */
final class Transfers implements CallObserver {

    /** A way to move bytes. */
    enum Kind {
        READ_CHUNKS,
        LONG_CALL,
        WRITE_CHUNKS,
        LONG_REPLY,
        WRITE_CHUNKS_OF_LONG_REPLY,
        COPIED,
        MOVED
    }

    private final Map<Kind, Integer> calls = new ConcurrentHashMap<>();
    private volatile @Nullable CallReport last;

    @Override
    public void completed(CallReport report) {
        last = report;
        count(Kind.READ_CHUNKS, report.readChunkBytes() > 0);
        count(Kind.LONG_CALL, report.positionZeroBytes() > 0);
        count(Kind.WRITE_CHUNKS, report.writeChunkBytes() > 0);
        count(Kind.LONG_REPLY, report.replyChunkBytes() > 0);
        count(Kind.WRITE_CHUNKS_OF_LONG_REPLY, report.replyChunkBytes() > 0 && report.writeChunkBytes() > 0);
        count(Kind.COPIED, report.copies() > 0);
        count(Kind.MOVED, report.movedBytes() > 0);
    }

    private void count(Kind kind, boolean isSo) {
        if (isSo) {
            calls.merge(kind, 1, Integer::sum);
        }
    }

    /** How the last call has moved its bytes. */
    CallReport last() {
        return Objects.requireNonNull(last);
    }

    /** The number of calls that moved bytes in each way. */
    Map<Kind, Integer> calls() {
        return new TreeMap<>(calls);
    }
}
