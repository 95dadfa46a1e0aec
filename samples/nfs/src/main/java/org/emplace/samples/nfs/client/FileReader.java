// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.emplace.rpc.CallOptions;
import org.emplace.rpc.Destination;
import org.emplace.rpc.RegisteredBuffer;
import org.emplace.rpc.RpcCall;
import org.emplace.samples.nfs.protocol.Nfs3Client;
import org.emplace.samples.nfs.protocol.NfsFh3;
import org.emplace.samples.nfs.protocol.Read3Args;
import org.emplace.samples.nfs.protocol.Read3Res;
import org.emplace.samples.nfs.protocol.Read3Resok;

/**
 * Reads files from the server with many READs in flight. The data arrives in registered memory and is handed on from there. Safe for
 * use by several threads, which share the buffers.
 */
public final class FileReader {
    /** What the length of a READ is a multiple of, so that one that reaches beyond the end tells of it. */
    private static final int BLOCK = 512;

    private final Nfs3Client client;
    private final CallOptions options;
    private final BufferPool buffers;

    FileReader(Nfs3Client client, CallOptions options, BufferPool buffers) {
        this.client = client;
        this.options = options;
        this.buffers = buffers;
    }

    /** Takes the file's bytes, in their order. */
    @FunctionalInterface
    public interface Sink {
        /** Takes the bytes between position and limit; the buffer is used again afterwards. */
        void accept(ByteBuffer bytes, long offset) throws IOException;
    }

    /**
     * Reads a whole file, up to where the server says that it ends.
     *
     * @param expectedSize how far READs may run ahead; the file may turn out shorter or longer
     * @return bytes read
     */
    public long read(NfsFh3 file, long expectedSize, Sink sink) throws IOException, InterruptedException {
        Deque<Transfer<Read3Res>> inFlight = new ArrayDeque<>();
        try {
            long next = 0;
            while (true) {
                next = fill(inFlight, file, next, expectedSize);
                Transfer<Read3Res> first = inFlight.remove();
                Part part;
                try {
                    part = finish(first, file);
                    sink.accept(first.buffer().buffer().limit(part.length()), first.offset());
                } finally {
                    buffers.giveBack(first.buffer());
                }
                if (part.end()) {
                    return first.offset() + part.length();
                }
            }
        } finally {
            Transfer.abandon(inFlight, buffers);
        }
    }

    /** Starts READs while there are free buffers; beyond the expected size one at a time. */
    private long fill(Deque<Transfer<Read3Res>> inFlight, NfsFh3 file, long from, long expectedSize)
            throws IOException, InterruptedException {
        long next = from;
        while (inFlight.isEmpty() || Long.compareUnsigned(next, expectedSize) < 0) {
            Optional<RegisteredBuffer> buffer = inFlight.isEmpty() ? Optional.of(buffers.take()) : buffers.takeIfFree();
            if (buffer.isEmpty()) {
                break;
            }
            int length = lengthAt(next, expectedSize);
            if (next > Long.MAX_VALUE - length) {
                buffers.giveBack(buffer.get());
                throw new IOException("the server's file has no end");
            }
            inFlight.add(new Transfer<>(buffer.get(), next, length, start(file, next, buffer.get(), 0, length)));
            next += length;
        }
        return next;
    }

    /** What a READ asks for: up to the expected end, so that little data takes little memory, often none; beyond that what a buffer takes. */
    private int lengthAt(long from, long expectedSize) {
        long left = expectedSize - from;
        boolean beyond = from != 0 && Long.compareUnsigned(from, expectedSize) >= 0;
        if (beyond || Long.compareUnsigned(left, buffers.bufferSize()) >= 0) {
            return buffers.bufferSize();
        }
        return (int) Math.min(buffers.bufferSize(), (left / BLOCK + 1) * BLOCK);
    }

    private RpcCall<Read3Res> start(NfsFh3 file, long offset, RegisteredBuffer into, int at, int length) {
        return client.readAsync(new Read3Args(file, offset, length), Destination.into(into, at, length), options);
    }

    /** Waits for a READ; where it came back short, reads the rest behind it. */
    private Part finish(Transfer<Read3Res> transfer, NfsFh3 file) throws IOException, InterruptedException {
        Part part = part(transfer.call().await(), transfer.length());
        int filled = part.length();
        while (!part.end() && filled < transfer.length()) {
            int rest = transfer.length() - filled;
            part = part(
                    start(file, transfer.offset() + filled, transfer.buffer(), filled, rest)
                            .await(),
                    rest);
            filled += part.length();
        }
        return new Part(filled, part.end());
    }

    private static Part part(Read3Res result, int asked) throws IOException {
        if (!(result instanceof Read3Res.Nfs3Ok ok)) {
            throw new NfsException(result.status());
        }
        Read3Resok read = ok.resok();
        if (read.count() != read.data().length() || read.count() > asked) {
            throw new IOException("the server says that it read " + read.count() + " bytes of " + asked + " and sent "
                    + read.data().length());
        }
        if (read.count() == 0 && !read.eof()) {
            throw new IOException("the server read nothing before the file's end");
        }
        return new Part((int) read.count(), read.eof());
    }

    /** What arrived. */
    private record Part(int length, boolean end) {}
}
