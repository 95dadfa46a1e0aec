// SPDX-License-Identifier: Apache-2.0
package org.emplace.xdr;

/**
 * An item whose encoding is in the stream: an array, struct or fixed item other than bytes.
 *
 * @param streamOffset where in the stream the item begins
 * @param rangeLength its bytes there; a multiple of four
 */
public record RangeMark(int streamOffset, int rangeLength, boolean eligible) implements ChunkMark {
    @Override
    public long length() {
        return rangeLength;
    }
}
