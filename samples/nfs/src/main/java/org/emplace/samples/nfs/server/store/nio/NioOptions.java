// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.nio;

import java.time.Duration;
import org.emplace.samples.nfs.server.store.Store.Durability;

/**
 * The options of a {@link NioStore}.
 *
 * @param nodes the most names of files whose ids are remembered; most files have one name. Beyond this, the least recently used ids become stale
 * @param openFiles the most files kept open between calls
 * @param idle how long an unused file stays open, at least; at most half as long again
 * @param listedNames the most names of directories kept in memory for listings to continue, about 150 bytes each
 * @param largestFile the most bytes of a file
 * @param durability when changes of names and attributes are on stable storage; only the default file system supports synchronous changes
 */
public record NioOptions(
        int nodes, int openFiles, Duration idle, int listedNames, long largestFile, Durability durability) {
    public static final NioOptions DEFAULT =
            new NioOptions(1 << 19, 512, Duration.ofSeconds(30), 1 << 20, Long.MAX_VALUE, Durability.SYNCHRONOUS);

    /** Checks the values. */
    public NioOptions {
        if (nodes < 16 || openFiles < 1 || listedNames < 16 || largestFile < 1) {
            throw new IllegalArgumentException("a store cannot work with so little room");
        }
    }

    public NioOptions withNodes(int count) {
        return new NioOptions(count, openFiles, idle, listedNames, largestFile, durability);
    }

    public NioOptions withOpenFiles(int count) {
        return new NioOptions(nodes, count, idle, listedNames, largestFile, durability);
    }

    public NioOptions withIdle(Duration time) {
        return new NioOptions(nodes, openFiles, time, listedNames, largestFile, durability);
    }

    public NioOptions withListedNames(int count) {
        return new NioOptions(nodes, openFiles, idle, count, largestFile, durability);
    }

    public NioOptions withLargestFile(long bytes) {
        return new NioOptions(nodes, openFiles, idle, listedNames, bytes, durability);
    }

    public NioOptions withDurability(Durability when) {
        return new NioOptions(nodes, openFiles, idle, listedNames, largestFile, when);
    }
}
