// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen.mapping;

import java.nio.ByteBuffer;
import java.util.List;

/** Compares bytes in pieces. */
final class Bytes {
    private Bytes() {}

    /** The first byte in which the pieces, one after the other, differ from a buffer; -1 if they are equal. */
    static int mismatch(ByteBuffer whole, List<ByteBuffer> pieces) {
        int at = 0;
        for (ByteBuffer piece : pieces) {
            int length = Math.min(piece.remaining(), whole.limit() - at);
            int different = whole.slice(at, length).mismatch(piece.slice(piece.position(), length));
            if (different >= 0) {
                return at + different;
            }
            at += length;
            if (length < piece.remaining()) {
                return at;
            }
        }
        return at == whole.limit() ? -1 : at;
    }
}
