// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.verbs;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.emplace.rdma.verbs.jni.Libibverbs;
import org.emplace.rdma.verbs.jni.NativeException;
import org.emplace.rdma.verbs.jni.NativeLibrary;

/** Writes 8 bytes inline to the other end, 32 times per round, and takes the completions, as work_requests.c does. */
final class WorkRequests {
    static final int REQUESTS = 32;
    static final int LENGTH = 8;

    private static final int[] SEND = NativeLibrary.layout(NativeLibrary.SEND_REQUEST);
    private static final int[] ELEMENT = NativeLibrary.layout(NativeLibrary.SCATTER_GATHER);
    private static final int[] COMPLETION = NativeLibrary.layout(NativeLibrary.COMPLETION);
    private static final int STRIDE = SEND[0] + ELEMENT[0];

    private final Loopback loopback;
    private final long source;
    private final long sink;
    private final int batch;
    private final ByteBuffer requests =
            ByteBuffer.allocateDirect(REQUESTS * STRIDE).order(ByteOrder.nativeOrder());
    private final ByteBuffer completions;

    /** The duration of posting and reaping in a round, in nanoseconds per request. */
    record Cost(long post, long reap) {}

    /** @param batch the number of completions that {@code loopback} polls at a time */
    WorkRequests(Loopback loopback, int batch) {
        this.loopback = loopback;
        this.source = loopback.sourceAddress();
        this.sink = loopback.sinkAddress();
        this.batch = batch;
        this.completions = loopback.completions();
    }

    Cost run(int rounds) throws NativeException {
        long[] posting = new long[rounds];
        long[] reaping = new long[rounds];
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < REQUESTS; i += batch) {
                posting[round] += post(i);
            }
            reaping[round] = reap();
        }
        return new Cost(median(posting), median(reaping));
    }

    /** The median round, in nanoseconds per request, because other work on the machine makes some rounds much longer. */
    private static long median(long[] rounds) {
        Arrays.sort(rounds);
        return rounds[rounds.length / 2] / REQUESTS;
    }

    private long post(int first) throws NativeException {
        long start = System.nanoTime();
        for (int i = 0; i < batch; i++) {
            int request = i * STRIDE;
            int element = request + SEND[0];
            int offset = (first + i) * LENGTH;
            requests.putLong(request + SEND[1], first + i);
            requests.putLong(request + SEND[2], sink + offset);
            requests.putInt(request + SEND[5], Libibverbs.WRITE);
            requests.putInt(request + SEND[6], Libibverbs.SIGNALED | Libibverbs.INLINE);
            requests.putInt(request + SEND[7], loopback.sinkKey());
            requests.putInt(request + SEND[8], 1);
            requests.putLong(element + ELEMENT[1], source + offset);
            requests.putInt(element + ELEMENT[2], LENGTH);
            requests.putInt(element + ELEMENT[3], loopback.sourceKey());
        }
        if (Libibverbs.postSend(loopback.queuePair(), requests, batch) != batch) {
            throw new IllegalStateException("the send queue is full");
        }
        return System.nanoTime() - start;
    }

    /** The time of the polls that found completions. */
    private long reap() throws NativeException {
        long spent = 0;
        long next = 0;
        while (next < REQUESTS) {
            long start = System.nanoTime();
            int found = Libibverbs.poll(loopback.completionQueue());
            if (found < 0) {
                throw new IllegalStateException("a Write failed");
            }
            for (int i = 0; i < found; i++) {
                if (completions.getLong(i * COMPLETION[0] + COMPLETION[1]) != next++) {
                    throw new IllegalStateException("a Write completed out of order");
                }
            }
            if (found > 0) {
                spent += System.nanoTime() - start;
            }
        }
        return spent;
    }
}
