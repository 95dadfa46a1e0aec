// SPDX-License-Identifier: Apache-2.0
package org.emplace.xdr;

/** Decodes one value of a type: {@code Fattr3::decode} is one. */
@FunctionalInterface
public interface XdrReader<T> {

    /**
     * Reads the next value.
     *
     * @throws XdrException if the input is malformed; the decoder's position is then undefined
     */
    T read(XdrDecoder in) throws XdrException;
}
