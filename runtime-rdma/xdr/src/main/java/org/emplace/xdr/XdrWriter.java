// SPDX-License-Identifier: Apache-2.0
package org.emplace.xdr;

/** Encodes one value of a type. */
@FunctionalInterface
public interface XdrWriter<T> {

    /** Appends the encoding of {@code value}. */
    void write(XdrEncoder out, T value);
}
