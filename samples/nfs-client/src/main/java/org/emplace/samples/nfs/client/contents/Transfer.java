// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.contents;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.concurrent.CountDownLatch;
import java.util.function.IntFunction;
import org.emplace.rpc.RegisteredBuffer;
import org.emplace.rpc.RpcCall;
import org.emplace.rpc.RpcException;

/**
 * A READ or WRITE in flight, and the buffer that it holds until its end.
 *
 * @param offset offset in the file
 * @param length bytes requested or sent
 */
record Transfer<R>(RegisteredBuffer buffer, long offset, int length, RpcCall<R> call) {
    /** The most calls in flight for the caller's memory. */
    private static final int MOST_PLACED = 16;

    /** The offset of the first byte after it. */
    long end() {
        return offset + length;
    }

    /** Waits until the call has ended, with success or not. An interrupt ends the wait, but does not cancel the call. */
    void awaitWithoutCancelling() throws InterruptedException {
        CountDownLatch ended = new CountDownLatch(1);
        call.completion().whenComplete((result, failure) -> ended.countDown());
        ended.await();
    }

    /**
     * Returns the buffers of abandoned transfers when these have ended. Does not wait and does not cancel them: a peer that accesses memory
     * which is no longer exposed loses its connection (RFC 5040 section 7.2).
     */
    static <R> void release(Collection<Transfer<R>> transfers, BufferPool buffers) {
        for (Transfer<R> transfer : transfers) {
            transfer.call().completion().whenComplete((result, failure) -> buffers.release(transfer.buffer()));
        }
    }

    /** Returns the buffers of abandoned transfers after these have ended. Waits for that: later, WRITEs could overwrite newer data. */
    static <R> void end(Collection<Transfer<R>> transfers, BufferPool buffers) {
        awaitEnd(transfers.stream().map(Transfer::call).toList());
        transfers.forEach(transfer -> buffers.release(transfer.buffer()));
        transfers.clear();
    }

    /** Waits until abandoned calls have ended, so that the caller can use their memory again. */
    static <R> void awaitEnd(Collection<RpcCall<R>> calls) {
        boolean interrupted = false;
        for (RpcCall<R> call : calls) {
            try {
                call.await();
            } catch (RpcException e) {
                // Its outcome does not matter.
            } catch (InterruptedException e) {
                interrupted = true; // The interrupted wait has cancelled and fenced this call.
                calls.forEach(RpcCall::cancel);
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Starts a call for a part of the caller's memory, at an offset from its start. */
    @FunctionalInterface
    interface Starting<R> {
        RpcCall<R> start(long from, int length);
    }

    /** Waits for a call, and makes further calls if it moved less than its part. */
    @FunctionalInterface
    interface Finishing<R> {
        /**
         * Finishes a call.
         *
         * @param rest makes a call for the rest of the part, without the first so many bytes
         */
        FileReader.Part finish(RpcCall<R> call, int length, IntFunction<RpcCall<R>> rest)
                throws IOException, InterruptedException;
    }

    /** A call in flight for a part of the caller's memory, at an offset from its start. */
    private record Placed<R>(long from, int length, RpcCall<R> call) {}

    /**
     * Makes calls for all parts of the caller's memory, several in flight, and finishes them in order, until one reports the end of the file.
     * When it returns or throws, none is in flight.
     *
     * @param largest the most bytes of a part
     * @return how many bytes were moved
     */
    static <R> long inPlace(long size, int largest, Starting<R> starting, Finishing<R> finishing)
            throws IOException, InterruptedException {
        Deque<Placed<R>> inFlight = new ArrayDeque<>();
        try {
            long started = 0;
            long moved = 0;
            boolean end = false;
            while (!end && (started < size || !inFlight.isEmpty())) {
                if (started < size && inFlight.size() < MOST_PLACED) {
                    int length = (int) Math.min(size - started, largest);
                    inFlight.add(new Placed<>(started, length, starting.start(started, length)));
                    started += length;
                } else {
                    Placed<R> first = inFlight.remove();
                    FileReader.Part part = finishing.finish(
                            first.call(),
                            first.length(),
                            done -> starting.start(first.from() + done, first.length() - done));
                    moved += part.length();
                    end = part.end();
                }
            }
            return moved;
        } catch (InterruptedException e) {
            inFlight.forEach(each -> each.call().cancel()); // the server may never answer
            throw e;
        } finally {
            awaitEnd(inFlight.stream().map(Placed::call).toList());
        }
    }
}
