// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.contents;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.emplace.rpc.RegisteredBuffer;
import org.emplace.samples.nfs.protocol.NfsFh3;
import org.emplace.samples.nfs.protocol.StableHow;
import org.emplace.samples.nfs.protocol.Write3Res;
import org.emplace.samples.nfs.protocol.Writeverf3;
import org.jspecify.annotations.Nullable;

/**
 * The bytes written to one file that are not in the server's stable storage yet. They gather in registered buffers. A full buffer is sent
 * by an UNSTABLE WRITE and kept until a COMMIT: if the write verifier shows that the server has restarted, the buffer is sent again (RFC
 * 1813 section 3.3.7). If a WRITE fails, the next operation fails and discards everything; an interrupt discards nothing. Not safe for use
 * by several threads, except for the methods whose comments say so.
 */
public final class WriteBehind {
    /** The most buffers held. */
    private static final int MOST_HELD = 8;

    private final FileWriter writer;
    private final BufferPool buffers;
    private final NfsFh3 file;
    private final Deque<Transfer<Write3Res>> inFlight = new ArrayDeque<>();
    private final List<Transfer<Write3Res>> uncommitted = new ArrayList<>();
    private final Set<Writeverf3> verifiers = new HashSet<>();
    private @Nullable Gathering gathering;
    private volatile boolean flushed = true;
    private volatile long heldFrom = Long.MAX_VALUE;
    private volatile long heldTo;
    private @Nullable IOException failure;

    public WriteBehind(FileWriter writer, NfsFh3 file) {
        this.writer = writer;
        this.buffers = writer.buffers();
        this.file = file;
    }

    /** A buffer that is being filled. */
    private static final class Gathering {
        final RegisteredBuffer buffer;
        final long offset;
        int length;

        Gathering(RegisteredBuffer buffer, long offset) {
            this.buffer = buffer;
            this.offset = offset;
        }

        boolean goesOnAt(long position) {
            return position == offset + length;
        }

        boolean isFull() {
            return length == buffer.length();
        }

        void add(ByteBuffer from) {
            int taken = Math.min(from.remaining(), buffer.length() - length);
            buffer.buffer().position(length).put(from.slice().limit(taken));
            from.position(from.position() + taken);
            length += taken;
        }
    }

    /** Whether everything has been sent to the server, though perhaps not to stable storage. May be called by any thread. */
    public boolean isFlushed() {
        return flushed;
    }

    /** Whether some of these bytes may still be sent, for the first time or again. May be called by any thread. */
    public boolean mayHold(long from, long to) {
        return from < heldTo && heldFrom < to;
    }

    /** Copies bytes from the buffer and advances its position. Copies none if no registered buffer is free. */
    public void write(ByteBuffer from, long offset) throws IOException, InterruptedException {
        orDiscard(() -> {
            if (gathering != null && !gathering.goesOnAt(offset)) {
                send(gathering, StableHow.UNSTABLE);
            }
            if (gathering == null) {
                Optional<RegisteredBuffer> free = buffer();
                if (free.isPresent()) {
                    gathering = new Gathering(free.get(), offset);
                }
            }
            if (gathering != null) {
                flushed = false;
                heldFrom = Math.min(heldFrom, offset);
                heldTo = Math.max(heldTo, offset + from.remaining());
                gathering.add(from);
                if (gathering.isFull()) {
                    send(gathering, StableHow.UNSTABLE);
                }
            }
        });
    }

    /** A step that loses no data if it is interrupted. */
    @FunctionalInterface
    private interface Step {
        void run() throws IOException, InterruptedException;
    }

    private void orDiscard(Step step) throws IOException, InterruptedException {
        throwFailure();
        try {
            step.run();
        } catch (IOException | RuntimeException e) {
            discard();
            throw e;
        }
    }

    /** Keeps a failure that another channel's operation has met, for this channel's next operation. */
    public void failed(IOException e) {
        if (failure == null) {
            failure = e;
        }
    }

    /** Reports a failure that has been kept. */
    public void throwFailure() throws IOException {
        @Nullable IOException kept = failure;
        failure = null;
        if (kept != null) {
            throw kept;
        }
    }

    private Optional<RegisteredBuffer> buffer() throws IOException, InterruptedException {
        Optional<RegisteredBuffer> free =
                inFlight.size() + uncommitted.size() < MOST_HELD ? buffers.takeIfFree() : Optional.empty();
        if (free.isPresent() || (inFlight.isEmpty() && uncommitted.isEmpty())) {
            return free;
        }
        commit();
        return buffers.takeIfFree();
    }

    /** Sends the gathered bytes. Waits if another WRITE of the same bytes is in flight, because the two could overtake each other. */
    private void send(Gathering gathered, StableHow stable) throws IOException, InterruptedException {
        long end = gathered.offset + gathered.length;
        if (inFlight.stream()
                .anyMatch(each -> each.offset() < end && gathered.offset < each.offset() + each.length())) {
            finishAll();
        }
        inFlight.add(transfer(gathered.buffer, gathered.offset, gathered.length, stable));
        gathering = null;
    }

    private Transfer<Write3Res> transfer(RegisteredBuffer buffer, long offset, int length, StableHow stable) {
        return new Transfer<>(buffer, offset, length, writer.send(file, offset, stable, buffer, 0, length));
    }

    private Transfer<Write3Res> again(Transfer<Write3Res> transfer) {
        return transfer(transfer.buffer(), transfer.offset(), transfer.length(), StableHow.UNSTABLE);
    }

    private void finishAll() throws IOException, InterruptedException {
        while (!inFlight.isEmpty()) {
            inFlight.element().awaitWithoutCancelling();
            Transfer<Write3Res> first = inFlight.remove();
            uncommitted.add(first); // it holds its buffer, whether or not the WRITE fails
            try {
                writer.finish(first, file, StableHow.UNSTABLE, verifiers);
            } catch (InterruptedException e) {
                uncommitted.remove(first);
                inFlight.addFirst(again(first)); // as part of it may not have been sent
                throw e;
            }
        }
    }

    /** Waits until everything has been sent and answered. */
    public void flush() throws IOException, InterruptedException {
        orDiscard(this::sendAll);
    }

    private void sendAll() throws IOException, InterruptedException {
        if (gathering != null) {
            send(gathering, StableHow.UNSTABLE);
        }
        finishAll();
        flushed = true;
    }

    /**
     * Waits until everything is in the server's stable storage.
     *
     * @return whether there was anything
     */
    public boolean commit() throws IOException, InterruptedException {
        throwFailure();
        if (gathering == null && inFlight.isEmpty() && uncommitted.isEmpty()) {
            return false;
        }
        orDiscard(() -> {
            if (gathering != null && inFlight.isEmpty() && uncommitted.isEmpty()) {
                send(gathering, StableHow.FILE_SYNC); // needs no COMMIT
            }
            sendAll();
            makeSafe();
        });
        release();
        return true;
    }

    private void makeSafe() throws IOException, InterruptedException {
        for (int pass = 0; pass < FileWriter.MOST_PASSES; pass++) {
            if (writer.isSafe(file, verifiers)) {
                return;
            }
            Set<Writeverf3> later = new HashSet<>();
            for (Transfer<Write3Res> lost : uncommitted) {
                writer.finish(again(lost), file, StableHow.UNSTABLE, later);
            }
            verifiers.clear(); // only now: after an interrupt the next COMMIT is to show again that something is lost
            verifiers.addAll(later);
        }
        throw FileWriter.restartsAgain();
    }

    /** Discards everything, after the WRITEs in flight have ended: later they could overwrite newer data. */
    private void discard() {
        Transfer.awaitEnd(inFlight.stream().map(Transfer::call).toList());
        inFlight.forEach(each -> buffers.giveBack(each.buffer()));
        inFlight.clear();
        release();
    }

    /** Discards everything without waiting. Nothing may be written after it. */
    public void abandon() {
        Transfer.release(inFlight, buffers);
        inFlight.clear();
        release();
    }

    private void release() {
        if (gathering != null) {
            buffers.giveBack(gathering.buffer);
            gathering = null;
        }
        uncommitted.forEach(each -> buffers.giveBack(each.buffer()));
        uncommitted.clear();
        verifiers.clear();
        flushed = true;
        heldFrom = Long.MAX_VALUE;
        heldTo = 0;
    }
}
