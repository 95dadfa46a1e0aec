// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.contents;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.emplace.rpc.RegisteredBuffer;
import org.emplace.samples.nfs.protocol.NfsFh3;
import org.emplace.samples.nfs.protocol.StableHow;
import org.emplace.samples.nfs.protocol.Write3Res;
import org.emplace.samples.nfs.protocol.Writeverf3;

/**
 * The bytes written to one file that are not in the server's stable storage yet, whoever wrote them. They gather in registered buffers, one
 * for each of several places. A full buffer is sent by an UNSTABLE WRITE and kept until a COMMIT: if the write verifier shows that the
 * server has restarted, the buffer is sent again (RFC 1813 section 3.3.7). If a WRITE fails, everything is discarded and the writers are
 * told; an interrupt discards nothing. Used under the lock of its {@link CachedFile}, except for the methods whose comments say otherwise.
 */
final class WriteBehind {
    private static final Logger LOG = System.getLogger(WriteBehind.class.getName());

    /** The most buffers held. */
    private static final int MOST_HELD = 8;

    /** The most buffers that are being filled: threads that write at different places do not send each other's. */
    private static final int MOST_GATHERING = 4;

    /** What {@link #write} returns if bytes of the same writer have been lost. */
    static final int LOST = -1;

    private final FileWriter writer;
    private final BufferPool buffers;
    private final NfsFh3 file;
    private final Runnable restarted;
    private final Set<CachedFile.Writer> writers = new HashSet<>();
    private final Deque<Gathering> gathering = new ArrayDeque<>();
    private final Deque<Transfer<Write3Res>> inFlight = new ArrayDeque<>();
    private final List<Transfer<Write3Res>> uncommitted = new ArrayList<>();
    private final Set<Writeverf3> verifiers = new HashSet<>();
    private volatile Losses losses = new Losses(0, new IOException("none"));
    private volatile boolean flushed = true;
    private volatile boolean empty = true;

    /** @param restarted called when the server turns out to have restarted, before anything is sent again, and after */
    WriteBehind(FileWriter writer, NfsFh3 file, Runnable restarted) {
        this.writer = writer;
        this.buffers = writer.buffers();
        this.file = file;
        this.restarted = restarted;
    }

    /**
     * How often bytes have been lost, whoever wrote them.
     *
     * @param last why they were the last time
     */
    record Losses(long number, IOException last) {}

    /** A buffer that is being filled. */
    private static final class Gathering {
        final RegisteredBuffer buffer;
        final long offset;
        int length;

        Gathering(RegisteredBuffer buffer, long offset) {
            this.buffer = buffer;
            this.offset = offset;
        }

        long end() {
            return offset + length;
        }

        boolean isFull() {
            return length == buffer.length();
        }

        int add(ByteBuffer from) {
            int taken = Math.min(from.remaining(), buffer.length() - length);
            buffer.buffer().position(length).put(from.slice().limit(taken));
            from.position(from.position() + taken);
            length += taken;
            return taken;
        }
    }

    /** The losses so far. May be called by any thread. */
    Losses losses() {
        return losses;
    }

    /** Whether everything has been sent to the server, though perhaps not to stable storage. May be called by any thread. */
    boolean isFlushed() {
        return flushed;
    }

    /** Whether the server has not confirmed that it has everything in stable storage. May be called by any thread. */
    boolean holdsBytes() {
        return !empty;
    }

    /** Whether a writer has written some of these bytes. */
    boolean isWrittenBy(CachedFile.Writer who) {
        return writers.contains(who);
    }

    /** Whether some of these bytes may still be sent, for the first time or again. */
    boolean holds(long from, long to) {
        return gathering.stream().anyMatch(each -> each.offset < to && from < each.end())
                || overlaps(inFlight, from, to)
                || overlaps(uncommitted, from, to);
    }

    private static boolean overlaps(Collection<Transfer<Write3Res>> transfers, long from, long to) {
        return transfers.stream().anyMatch(each -> each.offset() < to && from < each.end());
    }

    /** The end of the last bytes. */
    long end() {
        return Stream.concat(
                        gathering.stream().map(Gathering::end),
                        Stream.concat(inFlight.stream(), uncommitted.stream()).map(Transfer::end))
                .reduce(0L, Math::max);
    }

    /**
     * Copies bytes from the buffer and advances its position.
     *
     * @return how many; 0 if no registered buffer is free; {@link #LOST} if the writer has been told of a loss
     */
    int write(CachedFile.Writer who, ByteBuffer from, long offset) throws InterruptedException {
        boolean mayLose = isWrittenBy(who);
        int[] taken = {0};
        boolean kept = orDiscard(() -> {
            for (Gathering older : List.copyOf(gathering)) {
                if (older.offset < offset + from.remaining() && offset < older.end()) {
                    send(older, StableHow.UNSTABLE);
                }
            }
            Optional<Gathering> into = gatheringAt(offset);
            if (into.isPresent()) {
                flushed = false;
                empty = false;
                writers.add(who);
                taken[0] = into.get().add(from);
                if (into.get().isFull()) {
                    send(into.get(), StableHow.UNSTABLE);
                }
            }
        });
        return kept || !mayLose ? taken[0] : LOST;
    }

    /** The buffer that the bytes at an offset continue, or a new one. */
    private Optional<Gathering> gatheringAt(long offset) throws IOException, InterruptedException {
        Optional<Gathering> continued =
                gathering.stream().filter(each -> each.end() == offset).findFirst();
        if (continued.isPresent()) {
            return continued;
        }
        if (gathering.size() == MOST_GATHERING) {
            send(gathering.element(), StableHow.UNSTABLE);
        }
        Optional<Gathering> begun = buffer().map(buffer -> new Gathering(buffer, offset));
        begun.ifPresent(gathering::add);
        return begun;
    }

    /** A step that loses no data if it is interrupted. */
    @FunctionalInterface
    private interface Step {
        void run() throws IOException, InterruptedException;
    }

    private boolean orDiscard(Step step) throws InterruptedException {
        try {
            step.run();
            return true;
        } catch (IOException e) {
            lose(e);
            return false;
        } catch (RuntimeException | Error e) {
            lose(new IOException(e));
            throw e;
        }
    }

    private Optional<RegisteredBuffer> buffer() throws IOException, InterruptedException {
        int held = gathering.size() + inFlight.size() + uncommitted.size();
        Optional<RegisteredBuffer> free = held < MOST_HELD ? free() : Optional.empty();
        if (free.isPresent() || held == 0) {
            return free;
        }
        commitAll();
        return free();
    }

    /** If no more memory can be registered, no buffer is free: nothing is wrong with what is held. */
    private Optional<RegisteredBuffer> free() {
        try {
            return buffers.acquireIfFree();
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "writing without a buffer, because no memory can be registered for one", e);
            return Optional.empty();
        }
    }

    /** Sends the gathered bytes. Waits if another WRITE of the same bytes is in flight, because the two could overtake each other. */
    private void send(Gathering gathered, StableHow stable) throws IOException, InterruptedException {
        if (overlaps(inFlight, gathered.offset, gathered.end())) {
            finishAll();
        }
        inFlight.add(transfer(gathered.buffer, gathered.offset, gathered.length, stable));
        gathering.remove(gathered);
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
    void flush() throws InterruptedException {
        orDiscard(this::sendAll);
    }

    private void sendAll() throws IOException, InterruptedException {
        while (!gathering.isEmpty()) {
            send(gathering.element(), StableHow.UNSTABLE);
        }
        finishAll();
        flushed = true;
    }

    /**
     * Waits until everything is in the server's stable storage.
     *
     * @return whether there was anything
     */
    boolean commit() throws InterruptedException {
        boolean any = !empty;
        if (any) {
            orDiscard(this::commitAll);
        }
        return any;
    }

    private void commitAll() throws IOException, InterruptedException {
        if (gathering.size() == 1 && inFlight.isEmpty() && uncommitted.isEmpty()) {
            send(gathering.element(), StableHow.FILE_SYNC); // needs no COMMIT
        }
        sendAll();
        makeSafe();
        release();
    }

    private void makeSafe() throws IOException, InterruptedException {
        for (int pass = 0; pass < FileWriter.MOST_PASSES; pass++) {
            if (writer.isSafe(file, verifiers)) {
                return;
            }
            Set<Writeverf3> later = new HashSet<>();
            restarted.run();
            try {
                for (Transfer<Write3Res> lost : uncommitted) {
                    writer.finish(again(lost), file, StableHow.UNSTABLE, later);
                }
            } finally {
                restarted.run();
            }
            verifiers.clear(); // only now: after an interrupt the next COMMIT is to show again that something is lost
            verifiers.addAll(later);
        }
        throw FileWriter.restartsAgain();
    }

    /** Discards everything and tells the writers. */
    private void lose(IOException why) {
        List<CachedFile.Writer> losing = List.copyOf(writers);
        discard();
        losses = new Losses(losses.number() + 1, why);
        losing.forEach(each -> each.lost(why));
    }

    /** Discards everything, after the WRITEs in flight have ended: later they could overwrite newer data. */
    private void discard() {
        Transfer.end(inFlight, buffers);
        release();
    }

    /** Discards everything at once, unless others have written too: then it is still sent, in its order. */
    void forget(CachedFile.Writer who) {
        writers.remove(who);
        if (writers.isEmpty()) {
            inFlight.forEach(each -> each.call().cancel());
            lose(new IOException("a channel was closed before all that it had written was sent"));
        }
    }

    private void release() {
        gathering.forEach(each -> buffers.release(each.buffer));
        gathering.clear();
        uncommitted.forEach(each -> buffers.release(each.buffer()));
        uncommitted.clear();
        verifiers.clear();
        writers.clear();
        flushed = true;
        empty = true;
    }
}
