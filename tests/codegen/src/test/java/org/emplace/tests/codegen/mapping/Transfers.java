// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen.mapping;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.emplace.rpc.CallObserver;

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
    private volatile long lastMoved;

    @Override
    public void completed(CallReport report) {
        lastMoved = report.movedBytes();
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

    /** How many bytes of the last call had landed in the memory for another element. */
    long lastMoved() {
        return lastMoved;
    }

    /** The number of calls that moved bytes in each way. */
    Map<Kind, Integer> calls() {
        return new TreeMap<>(calls);
    }
}
