// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma;

import java.util.List;

/**
 * A range of the peer's memory, as the peer advertised it.
 *
 * @param stag the steering tag (the handle of RFC 8166, the R_key of verbs)
 * @param offset the tagged offset of the first byte: 64 bits whose meaning only the peer knows
 * @param length the length in bytes, an unsigned 32-bit number
 */
public record RemoteSegment(int stag, long offset, long length) {

    /** Returns the total length of several segments in bytes. */
    public static long total(List<RemoteSegment> segments) {
        long bytes = 0;
        for (int i = 0; i < segments.size(); i++) {
            bytes += segments.get(i).length();
        }
        return bytes;
    }
}
