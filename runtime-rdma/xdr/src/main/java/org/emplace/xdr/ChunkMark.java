// SPDX-License-Identifier: Apache-2.0
package org.emplace.xdr;

/**
 * Marks a data item of an {@link EncodedMessage}. If the item is eligible, a transport may move it as a chunk instead
 * of in the stream.
 */
public sealed interface ChunkMark {

    /** The offset in bytes at which the item is, or would be, in {@link EncodedMessage#stream}. */
    int streamOffset();

    /** The length of the item in bytes, without XDR padding. */
    long length();

    /** Whether the Upper Layer Binding makes the item DDP-eligible. */
    boolean eligible();

    /** Returns this mark for a stream with {@code bytes} more bytes before the item. */
    ChunkMark shiftedBy(int bytes);

    /**
     * A payload whose bytes are not in the stream.
     *
     * @param streamOffset offset in the stream at which the bytes and their padding belong
     * @param payload the bytes
     * @param eligible see {@link ChunkMark#eligible}
     */
    record PayloadMark(int streamOffset, Payload payload, boolean eligible) implements ChunkMark {
        @Override
        public long length() {
            return payload.length();
        }

        @Override
        public ChunkMark shiftedBy(int bytes) {
            return new PayloadMark(streamOffset + bytes, payload, eligible);
        }
    }

    /**
     * An item whose encoding is in the stream: any item other than {@code opaque} or {@code string}.
     *
     * @param streamOffset offset of the item in the stream
     * @param length length of its encoding in bytes; a multiple of four
     * @param eligible see {@link ChunkMark#eligible}
     */
    record RangeMark(int streamOffset, long length, boolean eligible) implements ChunkMark {
        @Override
        public ChunkMark shiftedBy(int bytes) {
            return new RangeMark(streamOffset + bytes, length, eligible);
        }
    }
}
