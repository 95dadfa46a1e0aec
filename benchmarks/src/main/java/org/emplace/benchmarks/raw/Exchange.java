// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.raw;

import java.nio.ByteBuffer;
import org.emplace.benchmarks.load.Load;

/**
 * What moves over a connection: {@code count} requests and as many responses, of the lengths that the load's calls and replies have over
 * RPC-over-RDMA. The client decides how many requests it sends before it waits for a response.
 *
 * @param request bytes from client to server
 * @param response bytes from server to client
 * @param count how often
 * @param crc whether each end computes the CRC32C of what it sends or receives
 */
record Exchange(int request, int response, int count, boolean crc) {
    /** Bytes that {@link #encode} takes. */
    static final int ENCODED_BYTES = 4 * Integer.BYTES;

    /** What a NULL call takes as an FPDU: 2 + 18 bytes of DDP header, 28 of RPC-over-RDMA header, 40 of RPC call, 4 of CRC. */
    private static final int CALL_BYTES = 92;
    /** What its reply takes: as the call, with an RPC reply of 24 bytes. */
    private static final int REPLY_BYTES = 76;

    /** The bytes that so many calls of a load have to move. */
    static Exchange of(Load load, int count, boolean crc) {
        return switch (load.operation()) {
            case NULL -> new Exchange(CALL_BYTES, REPLY_BYTES, count, crc);
            case READ -> new Exchange(CALL_BYTES, REPLY_BYTES + load.size(), count, crc);
            case WRITE -> new Exchange(CALL_BYTES + load.size(), REPLY_BYTES, count, crc);
        };
    }

    void encode(ByteBuffer target) {
        target.putInt(request).putInt(response).putInt(count).putInt(crc ? 1 : 0);
    }

    static Exchange decode(ByteBuffer source) {
        return new Exchange(source.getInt(), source.getInt(), source.getInt(), source.getInt() != 0);
    }
}
