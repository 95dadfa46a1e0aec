// SPDX-License-Identifier: Apache-2.0
package org.emplace.xdr;

/** Marks a data item in an {@link EncodedMessage} that a transport may move apart from the stream, if it is eligible. */
public sealed interface ChunkMark permits PayloadMark, RangeMark {

    /** Where the item stands, or would stand, in {@link EncodedMessage#stream}. */
    int streamOffset();

    /** The item's bytes without XDR padding. */
    long length();

    /** Whether the Upper Layer Binding lets the item become a chunk. */
    boolean eligible();
}
