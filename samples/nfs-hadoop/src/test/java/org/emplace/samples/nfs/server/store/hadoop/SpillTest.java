// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.samples.nfs.server.store.TestedStore.assertFailure;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.emplace.samples.nfs.server.store.Failure;
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
        Spill.Room room = new Spill.Room(temporary, 100);
        try (Spill one = new Spill(room);
                Spill other = new Spill(room)) {
            one.put(0, ByteBuffer.allocate(60));
            assertFailure(() -> other.put(0, ByteBuffer.allocate(41)), Failure.JUKEBOX);
            other.put(0, ByteBuffer.allocate(40));
            one.dropBefore(60);
            assertThat(room.left()).isEqualTo(60);
            other.put(40, ByteBuffer.allocate(60));
        }
        assertThat(room.left()).isEqualTo(100);
        assertThat(temporary).isEmptyDirectory();
    }
}
