// SPDX-License-Identifier: Apache-2.0
package org.emplace.xdr;

/** Marks a data item in an {@link EncodedMessage} that a transport may move apart from the stream, if it is eligible. */
public sealed interface ChunkMark {

    /** Where the item stands, or would stand, in {@link EncodedMessage#stream}. */
    int streamOffset();

    /** The item's bytes without XDR padding. */
    long length();

    /** Whether the Upper Layer Binding lets the item become a chunk. */
    boolean eligible();

    /** The same mark, in a stream with this many more bytes before it. */
    ChunkMark behind(int bytes);

    /**
     * A payload whose bytes are not in the stream.
     *
     * @param streamOffset where in the stream the bytes belong, followed by their padding
     * @param payload the bytes
     */
    record PayloadMark(int streamOffset, Payload payload, boolean eligible) implements ChunkMark {
        @Override
        public long length() {
            return payload.length();
        }

        @Override
        public ChunkMark behind(int bytes) {
            return new PayloadMark(streamOffset + bytes, payload, eligible);
        }
    }

    /**
     * An item whose encoding is in the stream: an array, struct or fixed item other than bytes.
     *
     * @param streamOffset where in the stream the item begins
     * @param length its bytes there; a multiple of four
     */
    record RangeMark(int streamOffset, long length, boolean eligible) implements ChunkMark {
        @Override
        public ChunkMark behind(int bytes) {
            return new RangeMark(streamOffset + bytes, length, eligible);
        }
    }
}
