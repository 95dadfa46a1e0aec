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
                    spill.put(offset, ByteBuffer.wrap(bytes));
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
            one.put(0, ByteBuffer.allocate(60_000));
            assertFailure(() -> other.put(0, ByteBuffer.allocate(40_001)), Failure.JUKEBOX);
            other.put(0, ByteBuffer.allocate(40_000));
            one.dropBefore(60_000);
            assertThat(room.left()).isEqualTo(60_000);
            other.put(40_000, ByteBuffer.allocate(60_000));
        }
        assertThat(room.left()).isEqualTo(100_000);
        assertThat(temporary).isEmptyDirectory();
    }

    /** A client could otherwise fill the memory with the positions of single bytes, and the disk with a block for each. */
    @Test
    void singleBytesTakeTheRoomOfBlocks() throws IOException {
        Spill.Room room = new Spill.Room(temporary, 1 << 20);
        try (Spill spill = new Spill(room)) {
            for (int i = 0; i < 256; i++) {
                spill.put(2L * i, ByteBuffer.allocate(1));
            }
            assertFailure(() -> spill.put(1000, ByteBuffer.allocate(1)), Failure.JUKEBOX);
        }
        assertThat(room.left()).isEqualTo(1 << 20);
    }
}
