// SPDX-License-Identifier: Apache-2.0
package org.emplace.xdr;

/**
 * A value with an XDR encoding. Generated records, enums and unions are of this kind; their static {@code decode} is the reverse, and throws
 * {@link XdrException} if its input is truncated or malformed.
 *
 * <p>The constructor of every generated record throws {@link NullPointerException} if a component, or an element of a list, is null.
 */
public interface XdrValue {

    /** Appends this value's encoding. */
    void encode(XdrEncoder out);
}
