// SPDX-License-Identifier: Apache-2.0
package org.emplace.xdr;

/**
 * Limits of a decoder in addition to the protocol's bounds and the length of the input.
 *
 * @param maxDepth how deep values of recursive types may nest; positive
 * @param maxEmptyElements the most elements of an array whose elements take no bytes, so that the length of the input
 *     does not limit them; not negative
 */
public record XdrLimits(int maxDepth, int maxEmptyElements) {

    /** A depth of 200 and 1024 empty elements. */
    public static final XdrLimits DEFAULT = new XdrLimits(200, 1024);

    /** @throws IllegalArgumentException if a value is out of range */
    public XdrLimits {
        if (maxDepth <= 0 || maxEmptyElements < 0) {
            throw new IllegalArgumentException(
                    "limits out of range: depth " + maxDepth + ", empty elements " + maxEmptyElements);
        }
    }
}
