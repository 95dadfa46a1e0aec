// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma;

import java.util.List;

/**
 * A range of the peer's memory, as the peer advertised it.
 *
 * @param stag the steering tag (handle, R_key)
 * @param offset the tagged offset of the first byte: opaque, all 64 bits are the peer's
 * @param length bytes, an unsigned 32-bit number
 */
public record RemoteSegment(int stag, long offset, long length) {

    /** The bytes of several. */
    public static long total(List<RemoteSegment> segments) {
        long bytes = 0;
        for (int i = 0; i < segments.size(); i++) {
            bytes += segments.get(i).length();
        }
        return bytes;
    }
}
