// SPDX-License-Identifier: Apache-2.0
package org.emplace.xdr;

/**
 * What a decoder accepts from a peer beyond what the protocol's own bounds and the length of the input say.
 *
 * @param maxDepth how deep values of recursive types may nest; positive
 * @param maxEmptyElements how many elements an array may have whose elements take no bytes in the stream, so that the stream's length does
 *     not limit them; not negative
 */
public record XdrLimits(int maxDepth, int maxEmptyElements) {

    /** A depth of 200, 1024 empty elements. */
    public static final XdrLimits DEFAULT = new XdrLimits(200, 1024);

    /** Checks the values. */
    public XdrLimits {
        if (maxDepth <= 0 || maxEmptyElements < 0) {
            throw new IllegalArgumentException(
                    "limits out of range: depth " + maxDepth + ", empty elements " + maxEmptyElements);
        }
    }
}
