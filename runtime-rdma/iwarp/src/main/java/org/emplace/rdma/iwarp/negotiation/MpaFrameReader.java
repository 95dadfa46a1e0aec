// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp.negotiation;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.emplace.rdma.iwarp.framing.StreamException;
import org.emplace.rdma.iwarp.framing.Wire;
import org.jspecify.annotations.Nullable;

/** Reads one MPA frame from the socket, and no bytes after it. */
public final class MpaFrameReader {
    private final Wire wire;
    private final MpaFrame.Kind kind;
    private final ByteBuffer[] bytes = {ByteBuffer.allocateDirect(MpaFrame.HEADER + MpaFrame.PRIVATE_DATA_LIMIT)};
    private boolean headerChecked;

    /**
     * Creates a reader for the start of a connection.
     *
     * @param kind the kind of frame that the peer must send
     */
    public MpaFrameReader(Wire wire, MpaFrame.Kind kind) {
        this.wire = wire;
        this.kind = kind;
        bytes[0].limit(MpaFrame.HEADER);
    }

    /** Returns the frame, or null if more bytes must arrive. @throws EOFException if the peer has ended the stream */
    public @Nullable MpaFrame read() throws IOException, StreamException {
        if (!fill()) {
            return null;
        }
        if (!headerChecked) {
            MpaFrame.checkHeader(kind, bytes[0]);
            headerChecked = true;
            bytes[0].limit(MpaFrame.HEADER + MpaFrame.privateDataLength(bytes[0]));
            if (!fill()) {
                return null;
            }
        }
        return MpaFrame.parse(kind, bytes[0]);
    }

    private boolean fill() throws IOException {
        while (bytes[0].hasRemaining()) {
            long count = wire.read(bytes, 1);
            if (count < 0) {
                throw new EOFException("closed in the middle of connection set-up");
            }
            if (count == 0) {
                return false;
            }
        }
        return true;
    }
}
