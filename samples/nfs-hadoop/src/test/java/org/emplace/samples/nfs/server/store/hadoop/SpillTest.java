// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.samples.nfs.server.store.TestedStore.assertFailure;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.emplace.samples.nfs.server.store.StoreException.Failure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpillTest {
    private static final Object PEER = "a client";

    @TempDir
    Path temporary;

    @Test
    void itHasTheContentOfAnArrayAfterTheSameOperations() throws IOException {
        Random random = new Random(7);
        Spill.Room room = new Spill.Room(temporary, 10 << 20);
        for (int round = 0; round < 20; round++) {
            byte[] expected = new byte[2000];
            boolean[] there = new boolean[2000];
            int end = 0;
            try (Spill spill = new Spill(room)) {
                for (int i = 0; i < 30; i++) {
                    byte[] bytes = new byte[random.nextInt(90) + 1];
                    random.nextBytes(bytes);
                    int offset = random.nextInt(1900);
                    spill.put(PEER, offset, ByteBuffer.wrap(bytes));
                    System.arraycopy(bytes, 0, expected, offset, bytes.length);
                    Arrays.fill(there, offset, offset + bytes.length, true);
                    end = Math.max(end, offset + bytes.length);
                    assertThat(spill.end()).isEqualTo(end);
                    assertThat(spill.reach(offset)).isEqualTo(reach(there, offset));
                    ByteBuffer read = ByteBuffer.allocate(2000);
                    spill.read(read, 0);
                    assertThat(read.array()).isEqualTo(expected);
                    assertThat(read.position()).isEqualTo(end);
                }
                spill.dropBefore(1000);
                assertThat(spill.first()).isGreaterThanOrEqualTo(1000);
            }
        }
        assertThat(room.left()).isEqualTo(10 << 20);
    }

    private static int reach(boolean[] there, int offset) {
        int reached = offset;
        while (there[reached]) {
            reached++;
        }
        return reached;
    }

    @Test
    void itAcceptsNoMoreThanThereIsRoomFor() throws IOException {
        Spill.Room room = new Spill.Room(temporary, 100_000);
        try (Spill one = new Spill(room);
                Spill other = new Spill(room)) {
            one.put(PEER, 0, ByteBuffer.allocate(60_000));
            assertFailure(() -> other.put("another", 0, ByteBuffer.allocate(40_001)), Failure.JUKEBOX);
            other.put("another", 0, ByteBuffer.allocate(35_000));
            one.dropBefore(60_000);
            assertThat(room.left()).isEqualTo(65_000);
            other.put("a third", 35_000, ByteBuffer.allocate(56_875));
        }
        assertThat(room.left()).isEqualTo(100_000);
        assertThat(temporary).isEmptyDirectory();
    }

    /** A client that never sends the data before could otherwise keep all room. */
    @Test
    void aPeerLeavesAnEighthToOthersInHoweverManyFiles() throws IOException {
        Spill.Room room = new Spill.Room(temporary, 80_000);
        try (Spill one = new Spill(room);
                Spill other = new Spill(room)) {
            one.put(PEER, 0, ByteBuffer.allocate(60_000));
            assertFailure(() -> other.put(PEER, 0, ByteBuffer.allocate(10_001)), Failure.JUKEBOX);
            other.put(PEER, 0, ByteBuffer.allocate(10_000));
            assertFailure(() -> one.put(PEER, 60_000, ByteBuffer.allocate(1)), Failure.JUKEBOX);
            other.put("another", 10_000, ByteBuffer.allocate(8_000));
            one.dropBefore(60_000);
            one.put(PEER, 0, ByteBuffer.allocate(30_000));
        }
        assertThat(room.left()).isEqualTo(80_000);
    }

    /** A client could otherwise fill the memory with the positions of single bytes, and the disk with a block for each. */
    @Test
    void singleBytesTakeTheRoomOfBlocks() throws IOException {
        // Of a MiB and a seventh, one peer may have a MiB.
        long bytes = (1 << 20) + (1 << 20) / 7 + 1;
        Spill.Room room = new Spill.Room(temporary, bytes);
        try (Spill spill = new Spill(room)) {
            for (int i = 0; i < 256; i++) {
                spill.put(PEER, 2L * i, ByteBuffer.allocate(1));
            }
            assertFailure(() -> spill.put(PEER, 1000, ByteBuffer.allocate(1)), Failure.JUKEBOX);
        }
        assertThat(room.left()).isEqualTo(bytes);
    }
}
