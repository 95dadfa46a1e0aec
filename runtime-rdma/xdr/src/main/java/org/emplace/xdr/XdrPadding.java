// SPDX-License-Identifier: Apache-2.0
package org.emplace.xdr;

import java.nio.ByteBuffer;

/** The zero bytes that fill an item up to a multiple of four (RFC 4506 section 3). */
final class XdrPadding {
    private static final ByteBuffer ZEROS = ByteBuffer.allocate(3).asReadOnlyBuffer();

    private XdrPadding() {}

    static int after(long length) {
        return (int) (-length & 3);
    }

    /** A new read-only view of the padding of an item. */
    static ByteBuffer bytesAfter(long length) {
        return ZEROS.slice(0, after(length));
    }
}
