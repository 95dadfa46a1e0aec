// SPDX-License-Identifier: Apache-2.0
package org.emplace.xdr;

/**
 * A payload whose bytes are not in the stream.
 *
 * @param streamOffset where in the stream the bytes belong, followed by their padding
 * @param payload the bytes
 */
public record PayloadMark(int streamOffset, Payload payload, boolean eligible) implements ChunkMark {
    @Override
    public long length() {
        return payload.length();
    }
}
