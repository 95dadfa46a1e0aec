// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.hadoop;

import java.nio.file.Path;
import java.time.Duration;

/**
 * How a {@link HdfsStore} works.
 *
 * @param readOnly whether all changes are refused
 * @param openFiles files to keep open for reading, and as many for writing
 * @param idle how long a file stays open after its last use, or half as long again; until it is closed, other programs cannot write to it
 * @param turn how long a WRITE waits for one before it in the file that has not arrived; then its data is spilled
 * @param hole how long nothing was written to a file before what is missing in it is a hole that nobody will fill
 * @param spillRoom bytes of WRITEs out of order to keep on the local disk, for all files together
 * @param spillDirectory where to keep them
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
