// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.raw;

import java.nio.ByteBuffer;
import org.emplace.benchmarks.load.Load;

/**
 * What moves over a connection: {@code count} requests and responses in turns where both have bytes, else {@code count} blocks one way
 * without waiting, and at their end a byte back.
 *
 * @param request bytes from client to server; 0 for none
 * @param response bytes from server to client; 0 for none
 * @param count how often
 * @param blocks buffers that each end goes through in turn, for as much memory as the load's calls in flight use
 * @param crc whether each end computes the CRC32C of what it sends or receives
 */
record Exchange(int request, int response, int count, int blocks, boolean crc) {
    /** Bytes that {@link #encode} takes. */
    static final int ENCODED_BYTES = 5 * Integer.BYTES;

    /** What a NULL call takes as an FPDU: 2 + 18 bytes of DDP header, 28 of RPC-over-RDMA header, 40 of RPC call, 4 of CRC. */
    private static final int CALL_BYTES = 92;
    /** What its reply takes: as the call, with an RPC reply of 24 bytes. */
    private static final int REPLY_BYTES = 76;

    /** The bytes that a load has to move. */
    static Exchange of(Load load, boolean crc) {
        int request = switch (load.operation()) {
            case NULL, READ -> 0;
            case WRITE -> load.size();
        };
        int response = switch (load.operation()) {
            case NULL, WRITE -> 0;
            case READ -> load.size();
        };
        return load.isOneAtATime()
                ? new Exchange(CALL_BYTES + request, REPLY_BYTES + response, load.calls(), 1, crc)
                : new Exchange(request, response, load.calls(), load.inFlight(), crc);
    }

    boolean isInTurns() {
        return request > 0 && response > 0;
    }

    void encode(ByteBuffer target) {
        target.putInt(request).putInt(response).putInt(count).putInt(blocks).putInt(crc ? 1 : 0);
    }

    static Exchange decode(ByteBuffer source) {
        return new Exchange(source.getInt(), source.getInt(), source.getInt(), source.getInt(), source.getInt() != 0);
    }
}
