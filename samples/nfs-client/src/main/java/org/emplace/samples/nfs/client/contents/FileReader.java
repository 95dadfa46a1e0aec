// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.contents;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.function.IntFunction;
import org.emplace.rpc.Destination;
import org.emplace.rpc.RegisteredBuffer;
import org.emplace.rpc.RpcCall;
import org.emplace.samples.nfs.client.NfsException;
import org.emplace.samples.nfs.client.calls.JukeboxRetry;
import org.emplace.samples.nfs.protocol.Nfs3Client;
import org.emplace.samples.nfs.protocol.NfsFh3;
import org.emplace.samples.nfs.protocol.Read3Args;
import org.emplace.samples.nfs.protocol.Read3Res;
import org.emplace.samples.nfs.protocol.Read3Resok;

/**
 * Reads files from the server with many READs in flight. The data arrives in registered buffers. Safe for use by several threads, which
 * share the buffers.
 *
 * @param buffers the buffers into which data is read, unless the caller supplies memory
 */
public record FileReader(Nfs3Client client, BufferPool buffers, JukeboxRetry retry) {
    /**
     * Reads bytes of a file into a channel, until the server reports the end of the file or the channel accepts no more.
     *
     * @param count most bytes
     * @param expectedSize how far READs may run ahead; the file may turn out shorter or longer
     * @return how many bytes
     */
    public long read(NfsFh3 file, long from, long count, long expectedSize, WritableByteChannel target)
            throws IOException, InterruptedException {
        long end = from + Math.min(count, Long.MAX_VALUE - from);
        long expectedEnd = Long.compareUnsigned(expectedSize, end) < 0 ? expectedSize : end;
        try (ReadAhead ahead = new ReadAhead(this, file, from, expectedEnd, Integer.MAX_VALUE, Integer.MAX_VALUE)) {
            long at = from;
            boolean ended = false;
            while (!ended && at < end) {
                ReadAhead.Arrived arrived = ahead.next();
                try {
                    ByteBuffer bytes = arrived.bytes();
                    bytes.limit((int) Math.min(bytes.limit(), end - at));
                    while (!ended && bytes.hasRemaining()) {
                        int taken = target.write(bytes);
                        at += taken;
                        ended = taken == 0;
                    }
                } finally {
                    buffers.release(arrived.buffer());
                }
                ended |= arrived.end();
            }
            return at - from;
        }
    }

    /**
     * Reads into the caller's memory: without a copy if it is direct, with several READs in flight if it is large. Leaves the buffers'
     * positions as they are.
     *
     * @param into has room
     * @return how many bytes; -1 if the file ends at or before the offset
     */
    public long read(NfsFh3 file, long offset, Pieces into) throws IOException, InterruptedException {
        long size = Math.min(into.remaining(), Long.MAX_VALUE - offset);
        if (size == 0) {
            return -1;
        }
        long read = Transfer.<Read3Res>inPlace(
                size, buffers.bufferSize(), (from, length) -> start(file, offset, into, from, length), this::finish);
        return read == 0 ? -1 : read;
    }

    private RpcCall<Read3Res> start(NfsFh3 file, long offset, Pieces into, long from, int length) {
        return client.readAsync(
                new Read3Args(file, offset + from, length), Destination.into(into.slices(from, length)));
    }

    /** Starts a READ into registered memory. */
    RpcCall<Read3Res> start(NfsFh3 file, long offset, RegisteredBuffer into, int at, int length) {
        return client.readAsync(new Read3Args(file, offset, length), Destination.into(into, at, length));
    }

    /** Waits for a READ. If the reply was short, reads the rest. */
    Part finish(Transfer<Read3Res> transfer, NfsFh3 file) throws IOException, InterruptedException {
        return finish(
                transfer.call(),
                transfer.length(),
                filled ->
                        start(file, transfer.offset() + filled, transfer.buffer(), filled, transfer.length() - filled));
    }

    private Part finish(RpcCall<Read3Res> call, int length, IntFunction<RpcCall<Read3Res>> rest)
            throws IOException, InterruptedException {
        Part part = part(retry.await(call, () -> rest.apply(0), Read3Res::status), length);
        int filled = part.length();
        while (!part.end() && filled < length) {
            int from = filled;
            part = part(retry.make(() -> rest.apply(from).await(), Read3Res::status), length - from);
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
            throw new IOException("the server reports that it read " + read.count() + " bytes of " + asked
                    + " and sent " + read.data().length());
        }
        if (read.count() == 0 && !read.eof()) {
            throw new IOException("the server returned no data before the end of the file");
        }
        return new Part((int) read.count(), read.eof());
    }

    /** The bytes that arrived, and whether the file ends after them. */
    record Part(int length, boolean end) {}
}
