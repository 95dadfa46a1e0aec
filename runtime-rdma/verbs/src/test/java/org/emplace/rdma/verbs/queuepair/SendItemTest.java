// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.queuepair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.OptionalInt;
import org.emplace.rdma.MemoryRegion;
import org.emplace.rdma.MemoryRegion.MemorySegment;
import org.emplace.rdma.RemoteAccess.RemoteSegment;
import org.emplace.rdma.WorkRequest;
import org.emplace.rdma.WorkRequest.Completion.Status;
import org.emplace.rdma.verbs.queuepair.SendItem.Part;
import org.junit.jupiter.api.Test;

/** How work requests are split into native ones, here of at most two elements and ten bytes. */
class SendItemTest {
    private final MemoryRegion region = new Unregistered(ByteBuffer.allocateDirect(100));

    @Test
    void whatFitsIsOneRequest() {
        WorkRequest send = new WorkRequest.Send(1, List.of(segment(0, 4), segment(50, 6)), OptionalInt.empty());
        assertThat(parts(send)).singleElement().satisfies(part -> {
            assertThat(part.last()).isTrue();
            assertThat(part.memory()).containsExactly(segment(0, 4), segment(50, 6));
        });
    }

    @Test
    void aWriteOfTooManyPiecesIsSplitAtPieces() {
        WorkRequest write = new WorkRequest.Write(
                1, List.of(segment(0, 1), segment(10, 2), segment(20, 3)), new RemoteSegment(7, 1000, 6));
        assertThat(parts(write))
                .extracting(Part::memory, Part::remoteOffset, Part::last)
                .containsExactly(
                        tuple(List.of(segment(0, 1), segment(10, 2)), 1000L, false),
                        tuple(List.of(segment(20, 3)), 1003L, true));
    }

    @Test
    void aReadThatIsTooLongIsSplitInsideItsSink() {
        WorkRequest read = new WorkRequest.Read(1, segment(5, 25), new RemoteSegment(7, -3, 25));
        assertThat(parts(read))
                .extracting(Part::memory, Part::remoteOffset, Part::last)
                .containsExactly(
                        tuple(List.of(segment(5, 10)), -3L, false),
                        tuple(List.of(segment(15, 10)), 7L, false),
                        tuple(List.of(segment(25, 5)), 17L, true));
    }

    @Test
    void aTransferEndsAsTheFirstOfItsPartsThatFailed() {
        List<Part> parts = parts(new WorkRequest.Read(9, segment(0, 20), new RemoteSegment(7, 0, 20)));
        parts.get(0).transfer().completed(Status.REMOTE_ERROR);
        parts.get(1).transfer().completed(Status.FLUSHED);
        assertThat(parts.get(1).transfer().completion().status()).isEqualTo(Status.REMOTE_ERROR);
    }

    private static List<Part> parts(WorkRequest request) {
        return SendItem.parts(request, 2, 10);
    }

    private MemorySegment segment(int offset, int length) {
        return region.segment(offset, length);
    }

    /** Memory that is not registered: these tests use no keys. */
    private record Unregistered(ByteBuffer buffer) implements MemoryRegion {
        @Override
        public int length() {
            return buffer.capacity();
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {}
    }
}
