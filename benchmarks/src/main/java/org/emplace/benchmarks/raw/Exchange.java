// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.raw;

import java.nio.ByteBuffer;
import org.emplace.benchmarks.load.Load;

/**
 * The transfers over a connection: {@code count} requests and as many responses, with the lengths of the load's calls and replies over
 * RPC-over-RDMA. The client decides how many requests it sends before it waits for a response.
 *
 * @param request bytes from client to server
 * @param response bytes from server to client
 * @param count number of requests
 * @param crc whether each end computes the CRC32C of the bytes that it sends or receives
 */
record Exchange(int request, int response, int count, boolean crc) {
    /** Length of {@link #encode}'s result in bytes. */
    static final int ENCODED_BYTES = 4 * Integer.BYTES;

    /** A NULL call as an FPDU: 20 bytes of length field and DDP header, 28 of RPC-over-RDMA header, 40 of RPC call, 4 of CRC. */
    private static final int CALL_BYTES = 92;
    /** Its reply as an FPDU: as the call, with an RPC reply of 24 bytes. */
    private static final int REPLY_BYTES = 76;

    /** The transfers of {@code count} calls of a load. */
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
