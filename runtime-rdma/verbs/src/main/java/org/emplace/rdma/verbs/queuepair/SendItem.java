// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.queuepair;

import java.util.ArrayList;
import java.util.List;
import org.emplace.rdma.MemoryRegion.MemorySegment;
import org.emplace.rdma.RemoteAccess.RemoteSegment;
import org.emplace.rdma.WorkRequest;
import org.emplace.rdma.WorkRequest.Completion;
import org.emplace.rdma.WorkRequest.Completion.Status;
import org.emplace.rdma.verbs.memory.ProtectionDomain.Registration;
import org.jspecify.annotations.Nullable;

/** One native send request: a work request or a part of one, a bind or invalidation of a window, or a probe. */
sealed interface SendItem {

    /** Whether somebody waits for its completion. For other requests the completion only returns memory. */
    boolean isAwaited();

    /**
     * A work request, or a part of a Write or Read that exceeds what one native request can move.
     *
     * @param transfer the work request
     * @param memory the local memory of this part
     * @param remoteOffset offset of this part in the peer's memory, in bytes; 0 for a Send
     * @param last whether it is the work request's last part
     */
    record Part(Transfer transfer, List<MemorySegment> memory, long remoteOffset, boolean last) implements SendItem {
        @Override
        public boolean isAwaited() {
            return !(transfer.request() instanceof WorkRequest.Send);
        }
    }

    /** Binds a window; see {@link org.emplace.rdma.verbs.memory.RemoteAccessStrategy.WindowPosting#bind}. */
    record Bind(long window, int key, Registration registration, long address, int length, int rights)
            implements SendItem {
        @Override
        public boolean isAwaited() {
            return false;
        }
    }

    /** Invalidates a key; see {@link org.emplace.rdma.verbs.memory.RemoteAccessStrategy.WindowPosting#invalidate}. */
    record Invalidation(int key, Runnable invalidated) implements SendItem {
        @Override
        public boolean isAwaited() {
            return true;
        }
    }

    /** A Write of length zero. It needs no key, and the peer's device acknowledges it. */
    record Probe() implements SendItem {
        @Override
        public boolean isAwaited() {
            return true;
        }
    }

    /** A work request in progress. Its status is that of its first part that failed. */
    final class Transfer {
        private final WorkRequest request;
        private Status status = Status.SUCCESS;

        Transfer(WorkRequest request) {
            this.request = request;
        }

        WorkRequest request() {
            return request;
        }

        void completed(Status part) {
            if (status == Status.SUCCESS) {
                status = part;
            }
        }

        Completion completion() {
            return status == Status.SUCCESS ? Completion.success(request) : Completion.failure(request, status);
        }
    }

    /** The peer's memory that a work request names; null for a Send. */
    private static @Nullable RemoteSegment remote(WorkRequest request) {
        if (request instanceof WorkRequest.Write write) {
            return write.target();
        }
        return request instanceof WorkRequest.Read read ? read.source() : null;
    }

    /**
     * Splits a work request into native requests.
     *
     * @param elements the most scatter/gather elements of a native request
     * @param longest the most bytes that a native request moves
     */
    static List<Part> parts(WorkRequest request, int elements, int longest) {
        Transfer transfer = new Transfer(request);
        List<MemorySegment> memory = request.memory();
        RemoteSegment remote = remote(request);
        if (remote == null || (memory.size() <= elements && MemorySegment.total(memory) <= longest)) {
            return List.of(new Part(transfer, memory, remote == null ? 0 : remote.offset(), true));
        }
        List<Part> parts = new ArrayList<>();
        List<MemorySegment> gathered = new ArrayList<>();
        long offset = remote.offset();
        int length = 0;
        for (MemorySegment segment : memory) {
            for (int done = 0; done < segment.length(); ) {
                if (gathered.size() == elements || length == longest) {
                    parts.add(new Part(transfer, List.copyOf(gathered), offset, false));
                    offset += length;
                    gathered.clear();
                    length = 0;
                }
                int piece = Math.min(segment.length() - done, longest - length);
                gathered.add(segment.region().segment(segment.offset() + done, piece));
                done += piece;
                length += piece;
            }
        }
        parts.add(new Part(transfer, List.copyOf(gathered), offset, true));
        return parts;
    }
}
