// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.state;

import org.emplace.samples.nfs.server.state.StateException.Status;

/**
 * A range of a file's bytes, as unsigned 64-bit offsets.
 *
 * @param first the first byte
 * @param last the last byte; 2<sup>64</sup>-1 if the range has no end
 */
public record ByteRange(long first, long last) {
    private static final long UNBOUNDED = -1;

    /**
     * The range of a request.
     *
     * @param length the number of bytes; 2<sup>64</sup>-1 for all from {@code offset} on
     * @throws StateException INVAL if it has no bytes, or some beyond the last offset (RFC 8881 section 18.10.3)
     */
    public static ByteRange of(long offset, long length) throws StateException {
        if (length == UNBOUNDED) {
            return new ByteRange(offset, UNBOUNDED);
        }
        long last = offset + length - 1;
        if (length == 0 || Long.compareUnsigned(last, offset) < 0) {
            throw new StateException(Status.INVAL, "a range of no bytes, or beyond the last offset");
        }
        return new ByteRange(offset, last);
    }

    /** The number of bytes as the protocol has it: 2<sup>64</sup>-1 if the range has no end. */
    public long length() {
        return last == UNBOUNDED ? UNBOUNDED : last - first + 1;
    }
}
