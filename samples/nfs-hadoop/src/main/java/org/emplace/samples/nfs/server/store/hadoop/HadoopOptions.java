// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.hadoop;

import java.nio.file.Path;
import java.time.Duration;

/**
 * The options of a {@link HdfsStore}.
 *
 * @param readOnly whether to refuse all changes
 * @param openFiles the most files to keep open for reading, and again for writing
 * @param idle how long a file stays open after its last use, at least; at most half as long again. Until then, other programs cannot write to it
 * @param turn how long a WRITE waits for missing bytes before it; then its data is spilled
 * @param hole after how long without writes the gaps of a file count as holes
 * @param spillRoom the most bytes of spilled WRITEs on the local disk, for all files together
 * @param spillDirectory the directory of the spilled bytes
 */
public record HadoopOptions(
        boolean readOnly,
        int openFiles,
        Duration idle,
        Duration turn,
        Duration hole,
        long spillRoom,
        Path spillDirectory) {

    public static final HadoopOptions DEFAULT = new HadoopOptions(
            false,
            256,
            Duration.ofSeconds(30),
            Duration.ofMillis(50),
            Duration.ofSeconds(10),
            1L << 30,
            Path.of(System.getProperty("java.io.tmpdir")));

    public HadoopOptions withReadOnly(boolean refused) {
        return new HadoopOptions(refused, openFiles, idle, turn, hole, spillRoom, spillDirectory);
    }

    public HadoopOptions withOpenFiles(int files) {
        return new HadoopOptions(readOnly, files, idle, turn, hole, spillRoom, spillDirectory);
    }

    public HadoopOptions withIdle(Duration time) {
        return new HadoopOptions(readOnly, openFiles, time, turn, hole, spillRoom, spillDirectory);
    }

    public HadoopOptions withTurn(Duration time) {
        return new HadoopOptions(readOnly, openFiles, idle, time, hole, spillRoom, spillDirectory);
    }

    public HadoopOptions withHole(Duration time) {
        return new HadoopOptions(readOnly, openFiles, idle, turn, time, spillRoom, spillDirectory);
    }

    public HadoopOptions withSpill(long room, Path directory) {
        return new HadoopOptions(readOnly, openFiles, idle, turn, hole, room, directory);
    }
}
