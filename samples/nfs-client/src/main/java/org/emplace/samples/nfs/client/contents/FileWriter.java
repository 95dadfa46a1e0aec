// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.contents;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;
import org.emplace.rpc.RegisteredBuffer;
import org.emplace.rpc.RpcCall;
import org.emplace.samples.nfs.client.NfsException;
import org.emplace.samples.nfs.client.calls.JukeboxRetry;
import org.emplace.samples.nfs.protocol.Commit3Args;
import org.emplace.samples.nfs.protocol.Commit3Res;
import org.emplace.samples.nfs.protocol.Nfs3Client;
import org.emplace.samples.nfs.protocol.NfsFh3;
import org.emplace.samples.nfs.protocol.StableHow;
import org.emplace.samples.nfs.protocol.Write3Args;
import org.emplace.samples.nfs.protocol.Write3Res;
import org.emplace.samples.nfs.protocol.Write3Resok;
import org.emplace.samples.nfs.protocol.Writeverf3;
import org.emplace.xdr.Payload;

/**
 * Writes files to the server with many WRITEs in flight. The server reads the data from registered buffers. Safe for use by several
 * threads, which share the buffers.
 *
 * <p>Data that fits one WRITE is written FILE_SYNC. More data is written UNSTABLE and then committed. If the write verifier shows that the
 * server has restarted in between, and so may have lost data, all of it is sent again (RFC 1813 section 3.3.7).
 *
 * @param buffers the buffers from which data is written, unless the caller's memory can be used
 */
public record FileWriter(Nfs3Client client, BufferPool buffers, JukeboxRetry retry) {
    static final int MOST_PASSES = 3;

    /** What happens before a WRITE. */
    @FunctionalInterface
    interface Reaching {
        /** Called with the offsets of its first byte and after its last. */
        void reach(long from, long to) throws InterruptedException;
    }

    /**
     * Writes the next bytes of a channel to a file. Returns when they are in the server's stable storage.
     *
     * @param count most bytes
     * @param reaching called before each WRITE
     * @return how many bytes
     */
    long write(SeekableByteChannel source, NfsFh3 file, long offset, long count, Reaching reaching)
            throws IOException, InterruptedException {
        long start = source.position();
        boolean single = Math.min(count, source.size() - start) <= buffers.bufferSize();
        long before = 0;
        for (int pass = 0; pass < MOST_PASSES; pass++) {
            Set<Writeverf3> verifiers = new HashSet<>();
            source.position(start);
            StableHow stable = single ? StableHow.FILE_SYNC : StableHow.UNSTABLE;
            long written = pass(source, file, offset, count, stable, verifiers, reaching);
            if (written < before) {
                throw new IOException("the server has lost data, which the source no longer has");
            }
            before = written;
            if (isSafe(file, verifiers)) {
                return written;
            }
        }
        throw restartsAgain();
    }

    /** Writes everything once, and collects the verifiers of the UNSTABLE writes. */
    private long pass(
            SeekableByteChannel source,
            NfsFh3 file,
            long offset,
            long count,
            StableHow stable,
            Set<Writeverf3> verifiers,
            Reaching reaching)
            throws IOException, InterruptedException {
        Deque<Transfer<Write3Res>> inFlight = new ArrayDeque<>();
        try {
            long next = 0;
            boolean end = count == 0;
            while (!end || !inFlight.isEmpty()) {
                Optional<RegisteredBuffer> buffer = end
                        ? Optional.empty()
                        : inFlight.isEmpty() ? Optional.of(buffers.acquire()) : buffers.acquireIfFree();
                if (buffer.isPresent()) {
                    int most = (int) Math.min(count - next, buffers.bufferSize());
                    int length = load(source, buffer.get(), most);
                    if (length > 0) {
                        inFlight.add(begin(file, offset + next, stable, buffer.get(), length, reaching));
                    }
                    next += length;
                    end = length < most || next == count;
                } else {
                    Transfer<Write3Res> first = inFlight.remove();
                    try {
                        finish(first, file, stable, verifiers);
                    } finally {
                        buffers.release(first.buffer());
                    }
                }
            }
            return next;
        } catch (InterruptedException e) {
            inFlight.forEach(each -> each.call().cancel()); // the server may never answer
            throw e;
        } finally {
            Transfer.end(inFlight, buffers);
        }
    }

    private Transfer<Write3Res> begin(
            NfsFh3 file, long offset, StableHow stable, RegisteredBuffer buffer, int length, Reaching reaching)
            throws InterruptedException {
        boolean sent = false;
        try {
            reaching.reach(offset, offset + length);
            RpcCall<Write3Res> call = send(file, offset, stable, buffer, 0, length);
            sent = true;
            return new Transfer<>(buffer, offset, length, call);
        } finally {
            if (!sent) {
                buffers.release(buffer);
            }
        }
    }

    /** Fills a buffer with the next bytes of the source; at its end, releases the buffer. Returns the number of bytes. */
    private int load(SeekableByteChannel source, RegisteredBuffer buffer, int most) throws IOException {
        ByteBuffer into = buffer.buffer().limit(most);
        boolean loaded = false;
        try {
            while (into.hasRemaining() && source.read(into) > 0) {
                // The channel moves the buffer's position.
            }
            loaded = into.position() > 0;
            return into.position();
        } finally {
            if (!loaded) {
                buffers.release(buffer);
            }
        }
    }

    /** Starts a WRITE from registered memory. */
    RpcCall<Write3Res> send(NfsFh3 file, long offset, StableHow stable, RegisteredBuffer buffer, int at, int length) {
        return client.writeAsync(new Write3Args(file, offset, length, stable, buffer.payload(at, length)));
    }

    /** Waits for a WRITE. If the server wrote less than was sent, sends the rest. */
    void finish(Transfer<Write3Res> transfer, NfsFh3 file, StableHow stable, Set<Writeverf3> verifiers)
            throws IOException, InterruptedException {
        finish(
                transfer.call(),
                transfer.length(),
                stable,
                verifiers,
                done -> send(
                        file, transfer.offset() + done, stable, transfer.buffer(), done, transfer.length() - done));
    }

    private void finish(
            RpcCall<Write3Res> call,
            int length,
            StableHow stable,
            Set<Writeverf3> verifiers,
            IntFunction<RpcCall<Write3Res>> rest)
            throws IOException, InterruptedException {
        int done = taken(retry.await(call, () -> rest.apply(0), Write3Res::status), length, stable, verifiers);
        while (done < length) {
            int from = done;
            Write3Res result = retry.make(() -> rest.apply(from).await(), Write3Res::status);
            done += taken(result, length - from, stable, verifiers);
        }
    }

    /**
     * Writes from the caller's memory, in place if it is direct. Returns when the server has the bytes in stable storage: one WRITE is
     * made stably, several are committed, and sent again if the server has restarted in between. Does not move the buffers' positions.
     */
    void writeThrough(NfsFh3 file, long offset, Pieces from) throws IOException, InterruptedException {
        StableHow stable = from.remaining() <= buffers.bufferSize() ? StableHow.FILE_SYNC : StableHow.UNSTABLE;
        for (int pass = 0; pass < MOST_PASSES; pass++) {
            Set<Writeverf3> verifiers = new HashSet<>();
            Transfer.<Write3Res>inPlace(
                    from.remaining(),
                    buffers.bufferSize(),
                    (at, length) -> send(file, offset, stable, from, at, length),
                    (call, length, rest) -> {
                        finish(call, length, stable, verifiers, rest);
                        return new FileReader.Part(length, false);
                    });
            if (isSafe(file, verifiers)) {
                return;
            }
        }
        throw restartsAgain();
    }

    private RpcCall<Write3Res> send(NfsFh3 file, long offset, StableHow stable, Pieces pieces, long from, int length) {
        Payload data = Payload.of(pieces.slices(from, length));
        return client.writeAsync(new Write3Args(file, offset + from, length, stable, data));
    }

    /** Commits what was written unstably. Returns whether the server has kept all of it since it sent these verifiers. */
    boolean isSafe(NfsFh3 file, Set<Writeverf3> verifiers) throws IOException, InterruptedException {
        return verifiers.isEmpty() || verifiers.equals(Set.of(commit(file)));
    }

    static IOException restartsAgain() {
        return new IOException("the server restarts repeatedly while the file is written");
    }

    private static int taken(Write3Res result, int sent, StableHow stable, Set<Writeverf3> verifiers)
            throws IOException {
        if (!(result instanceof Write3Res.Nfs3Ok ok)) {
            throw new NfsException(result.status());
        }
        Write3Resok write = ok.resok();
        if (write.count() == 0 || write.count() > sent) {
            throw new IOException("the server reports that it wrote " + write.count() + " bytes of " + sent);
        }
        if (write.committed().compareTo(stable) < 0) {
            throw new IOException(
                    "the server wrote less safely than requested: " + write.committed() + " for " + stable);
        }
        if (write.committed() == StableHow.UNSTABLE) {
            verifiers.add(write.verf());
        }
        return (int) write.count();
    }

    /** Makes the server bring the file to stable storage (COMMIT). */
    Writeverf3 commit(NfsFh3 file) throws IOException, InterruptedException {
        Commit3Res.Nfs3Ok ok = retry.results(
                () -> client.commit(new Commit3Args(file, 0, 0)), Commit3Res::status, Commit3Res.Nfs3Ok.class);
        return ok.resok().verf();
    }
}
