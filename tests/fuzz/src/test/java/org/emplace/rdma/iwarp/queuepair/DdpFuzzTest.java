// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp.queuepair;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.emplace.rdma.MemoryRegion;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaProvider;
import org.emplace.rdma.Receives.ReceiveRequest;
import org.emplace.rdma.RemoteAccess;
import org.emplace.rdma.RemoteAccess.RemoteSegment;
import org.emplace.rdma.WorkRequest;
import org.emplace.rdma.WorkRequest.Completion;
import org.emplace.rdma.iwarp.IwarpOptions;
import org.emplace.rdma.iwarp.IwarpProvider;
import org.emplace.rdma.iwarp.framing.FpduReader;
import org.emplace.rdma.iwarp.framing.FpduReader.Progress;
import org.emplace.rdma.iwarp.framing.FpduWriter;
import org.emplace.rdma.iwarp.framing.StreamException;
import org.emplace.rdma.iwarp.memory.AccessTable;
import org.emplace.rdma.iwarp.queuepair.IwarpSharedReceives.IwarpReceiveQueue;
import org.emplace.rdma.provider.ConnectionCounters;
import org.emplace.rdma.provider.RdmaCounters;
import org.emplace.tests.fuzz.FuzzedWire;
import org.emplace.tests.fuzz.Fuzzing;

/**
 * MPA's FPDUs, DDP and RDMAP on an established connection: whatever a peer sends, only memory that it was lent for writing changes, and what is
 * wrong ends the stream with a {@link StreamException}.
 */
class DdpFuzzTest {
    private static final int SIZE = 256;
    private static final int RECEIVES = 4;
    private static final byte UNTOUCHED = 0x5a;
    private static final InetSocketAddress NOWHERE = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
    private static final RdmaProvider PROVIDER = open();

    /** Lent for writing, lent for reading, four Receives, the sink of a Read of ours, and memory that nobody was lent. */
    private static final ByteBuffer MEMORY = ByteBuffer.allocateDirect((RECEIVES + 4) * SIZE);

    private static final MemoryRegion REGION = register();

    /** Made once: counters report to flight recordings until they are closed. */
    private static final ConnectionCounters COUNTERS = new RdmaCounters("fuzz").connectionOpened(NOWHERE, NOWHERE);

    private static final ByteBuffer SCRATCH = ByteBuffer.allocateDirect(64 * 1024);

    /** What all memory holds before an input. */
    private static final byte[] BEFORE = new byte[MEMORY.capacity()];

    static {
        Arrays.fill(BEFORE, UNTOUCHED);
    }

    private static RdmaProvider open() {
        try {
            return IwarpProvider.open(IwarpOptions.DEFAULTS);
        } catch (RdmaException e) {
            throw new AssertionError(e);
        }
    }

    private static MemoryRegion register() {
        try {
            return PROVIDER.register(MEMORY);
        } catch (RdmaException e) {
            throw new AssertionError(e);
        }
    }

    /** STags and offsets that are the same in each run, so that a fuzzer can come to know them. */
    private static final class Predictable extends SecureRandom {
        private static final long serialVersionUID = 1L;
        private int last = 0x1111;

        /** Without looking for a source of random numbers, as every input has one of these. */
        Predictable() {
            super(null, null);
        }

        @Override
        public int nextInt() {
            last += 0x1111;
            return last;
        }

        @Override
        public void nextBytes(byte[] bytes) {
            for (ByteBuffer numbers = ByteBuffer.wrap(bytes); numbers.hasRemaining(); ) {
                numbers.putLong(nextInt());
            }
        }
    }

    @FuzzTest(maxExecutions = Fuzzing.INPUTS, maxDuration = Fuzzing.LONGEST)
    void onlyLentMemoryChanges(FuzzedDataProvider data) throws Exception {
        MEMORY.put(0, BEFORE);
        AccessTable access = new AccessTable(new Predictable(), exposure -> {}, COUNTERS);
        List<Completion> completions = new ArrayList<>();
        IwarpSendQueue sends = new IwarpSendQueue(access, 4, completions::add, COUNTERS);
        access.expose(REGION.segment(0, SIZE), RemoteAccess.Right.REMOTE_WRITE);
        access.expose(REGION.segment(SIZE, SIZE), RemoteAccess.Right.REMOTE_READ);
        List<ReceiveRequest> receives = new ArrayList<>();
        for (int i = 0; i < RECEIVES; i++) {
            receives.add(new ReceiveRequest(i, REGION.segment((2 + i) * SIZE, SIZE)));
        }
        boolean reading = data.consumeBoolean();
        if (reading) {
            sends.post(new WorkRequest.Read(
                    9, REGION.segment((2 + RECEIVES) * SIZE, SIZE), new RemoteSegment(1, 0, SIZE)));
            sends.takePosted();
            new FpduWriter(new FuzzedWire(data), false, new FpduWriter.Batches(), sends).write(Integer.MAX_VALUE);
            assertThat(sends.outstandingReads()).hasSize(1);
        }
        Inbound inbound = new Inbound(
                access,
                sends,
                2,
                new IwarpReceiveQueue.Private(receives),
                completions::add,
                () -> !completions.isEmpty());
        FuzzedWire wire = new FuzzedWire(data);
        FpduReader reader = new FpduReader(wire, false, () -> SCRATCH, inbound);
        try {
            Progress progress = Progress.MORE;
            while (progress == Progress.MORE || progress == Progress.DRAINED) {
                progress = reader.read(Integer.MAX_VALUE);
            }
        } catch (StreamException | IOException refused) {
            // What a peer may bring about.
        }
        inbound.releaseTarget();
        assertUntouched("lent for reading", SIZE, SIZE);
        assertUntouched("lent to nobody", (3 + RECEIVES) * SIZE, SIZE);
        if (!reading) {
            assertUntouched("the sink of no Read", (2 + RECEIVES) * SIZE, SIZE);
        }
        for (Completion completion : completions) {
            assertThat(completion.length()).isBetween(0, SIZE);
        }
    }

    private static void assertUntouched(String what, int offset, int length) {
        byte[] after = new byte[length];
        MEMORY.get(offset, after);
        assertThat(Arrays.mismatch(after, 0, length, BEFORE, 0, length))
                .as(what)
                .isEqualTo(-1);
    }
}
