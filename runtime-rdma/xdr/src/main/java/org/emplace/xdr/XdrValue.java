// SPDX-License-Identifier: Apache-2.0
package org.emplace.xdr;

/**
 * A value with an XDR encoding: a generated record, enum or union. The static method {@code decode} of its class is the
 * inverse of {@link #encode}, and throws {@link XdrException} if its input is truncated or malformed.
 *
 * <p>The constructor of every generated record throws {@link NullPointerException} if a component, or an element of a
 * list, is null.
 */
public interface XdrValue {

    /** Appends this value's encoding to {@code out}. */
    void encode(XdrEncoder out);
}
