// SPDX-License-Identifier: Apache-2.0
package org.emplace.xdr;

/** Encodes values of one type. */
@FunctionalInterface
public interface XdrWriter<T> {

    /** Appends the encoding of {@code value} to {@code out}. */
    void write(XdrEncoder out, T value);
}
