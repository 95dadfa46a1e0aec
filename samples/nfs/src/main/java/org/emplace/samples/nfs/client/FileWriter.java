// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;
import org.emplace.rpc.CallOptions;
import org.emplace.rpc.RegisteredBuffer;
import org.emplace.rpc.RpcCall;
import org.emplace.samples.nfs.protocol.Commit3Args;
import org.emplace.samples.nfs.protocol.Commit3Res;
import org.emplace.samples.nfs.protocol.Nfs3Client;
import org.emplace.samples.nfs.protocol.NfsFh3;
import org.emplace.samples.nfs.protocol.StableHow;
import org.emplace.samples.nfs.protocol.Write3Args;
import org.emplace.samples.nfs.protocol.Write3Res;
import org.emplace.samples.nfs.protocol.Write3Resok;
import org.emplace.samples.nfs.protocol.Writeverf3;

/**
 * Writes local files to the server with many WRITEs in flight. The data goes from the file into registered memory, from where the
 * server takes it. Safe for use by several threads, which share the buffers.
 *
 * <p>A file that fits one WRITE is written stably. A longer one is written unstably and then committed; if the write verifier shows that
 * the server has restarted in between, and so may have lost data, all of it is sent again (RFC 1813 section 3.3.7).
 */
public final class FileWriter {
    private static final int MOST_PASSES = 3;

    private final Nfs3Client client;
    private final CallOptions options;
    private final BufferPool buffers;

    FileWriter(Nfs3Client client, CallOptions options, BufferPool buffers) {
        this.client = client;
        this.options = options;
        this.buffers = buffers;
    }

    /**
     * Writes what the channel holds to the file, from its start.
     *
     * @param written told the number of bytes after each WRITE; data sent again is told again
     */
    public void write(FileChannel source, NfsFh3 file, LongConsumer written) throws IOException, InterruptedException {
        boolean single = source.size() <= buffers.bufferSize();
        for (int pass = 0; pass < MOST_PASSES; pass++) {
            Set<Writeverf3> verifiers = new HashSet<>();
            pass(source, file, single ? StableHow.FILE_SYNC : StableHow.UNSTABLE, verifiers, written);
            if (verifiers.isEmpty() || verifiers.equals(Set.of(commit(file)))) {
                return;
            }
        }
        throw new IOException("the server restarts again and again while the file is written");
    }

    /** Writes all of the file once, and gathers the verifiers of what the server may still lose. */
    private void pass(
            FileChannel source, NfsFh3 file, StableHow stable, Set<Writeverf3> verifiers, LongConsumer written)
            throws IOException, InterruptedException {
        Deque<Transfer<Write3Res>> inFlight = new ArrayDeque<>();
        try {
            long next = 0;
            boolean end = false;
            while (!end || !inFlight.isEmpty()) {
                Optional<RegisteredBuffer> buffer = end
                        ? Optional.empty()
                        : inFlight.isEmpty() ? Optional.of(buffers.take()) : buffers.takeIfFree();
                if (buffer.isPresent()) {
                    int length = start(source, file, next, stable, buffer.get(), inFlight);
                    next += length;
                    end = length < buffers.bufferSize();
                } else {
                    finish(inFlight.remove(), file, stable, verifiers, written);
                }
            }
        } finally {
            Transfer.abandon(inFlight, buffers);
        }
    }

    /** Starts one WRITE of what comes next in the source; none at its end. */
    private int start(
            FileChannel source,
            NfsFh3 file,
            long offset,
            StableHow stable,
            RegisteredBuffer buffer,
            Deque<Transfer<Write3Res>> inFlight)
            throws IOException {
        int length = 0;
        try {
            length = load(source, offset, buffer.buffer());
        } finally {
            if (length == 0) {
                buffers.giveBack(buffer);
            }
        }
        if (length > 0) {
            inFlight.add(new Transfer<>(buffer, offset, length, send(file, offset, stable, buffer, 0, length)));
        }
        return length;
    }

    private static int load(FileChannel source, long offset, ByteBuffer into) throws IOException {
        while (into.hasRemaining() && source.read(into, offset + into.position()) > 0) {
            // The channel moves the buffer's position.
        }
        return into.position();
    }

    private RpcCall<Write3Res> send(
            NfsFh3 file, long offset, StableHow stable, RegisteredBuffer buffer, int at, int length) {
        return client.writeAsync(new Write3Args(file, offset, length, stable, buffer.payload(at, length)), options);
    }

    /** Waits for a WRITE; where the server took less, sends the rest. */
    private void finish(
            Transfer<Write3Res> transfer,
            NfsFh3 file,
            StableHow stable,
            Set<Writeverf3> verifiers,
            LongConsumer written)
            throws IOException, InterruptedException {
        try {
            int done = taken(transfer.call().await(), transfer.length(), stable, verifiers);
            while (done < transfer.length()) {
                int rest = transfer.length() - done;
                RpcCall<Write3Res> again = send(file, transfer.offset() + done, stable, transfer.buffer(), done, rest);
                done += taken(again.await(), rest, stable, verifiers);
            }
            written.accept(done);
        } finally {
            buffers.giveBack(transfer.buffer());
        }
    }

    private static int taken(Write3Res result, int sent, StableHow stable, Set<Writeverf3> verifiers)
            throws IOException {
        if (!(result instanceof Write3Res.Nfs3Ok ok)) {
            throw new NfsException(result.status());
        }
        Write3Resok write = ok.resok();
        if (write.count() == 0 || write.count() > sent) {
            throw new IOException("the server says that it wrote " + write.count() + " bytes of " + sent);
        }
        if (write.committed().compareTo(stable) < 0) {
            throw new IOException("the server wrote less safely than asked: " + write.committed() + " for " + stable);
        }
        if (write.committed() == StableHow.UNSTABLE) {
            verifiers.add(write.verf());
        }
        return (int) write.count();
    }

    private Writeverf3 commit(NfsFh3 file) throws IOException, InterruptedException {
        Commit3Res result = client.commit(new Commit3Args(file, 0, 0));
        if (result instanceof Commit3Res.Nfs3Ok ok) {
            return ok.resok().verf();
        }
        throw new NfsException(result.status());
    }
}
