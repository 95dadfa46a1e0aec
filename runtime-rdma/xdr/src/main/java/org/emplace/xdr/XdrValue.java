// SPDX-License-Identifier: Apache-2.0
package org.emplace.xdr;

/** A value with an XDR encoding. Generated records, enums and unions are of this kind; their static {@code decode} is the reverse. */
public interface XdrValue {

    /** Appends this value's encoding. */
    void encode(XdrEncoder out);
}
