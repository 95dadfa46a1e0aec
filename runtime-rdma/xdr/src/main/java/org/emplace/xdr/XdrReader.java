// SPDX-License-Identifier: Apache-2.0
package org.emplace.xdr;

/** Decodes values of one type, such as {@code Fattr3::decode}. */
@FunctionalInterface
public interface XdrReader<T> {

    /**
     * Reads the next value.
     *
     * @throws XdrException if the input is malformed; the decoder's position is then undefined
     */
    T read(XdrDecoder in) throws XdrException;
}
