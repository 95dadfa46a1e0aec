// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.xdr;

import java.io.IOException;

/** Encodes and decodes one message repeatedly. Used by one thread. */
interface Codec {

    /**
     * Encodes the message into the same buffer each time.
     *
     * @return its length in bytes
     */
    int encode() throws IOException;

    /** Decodes the message into new objects. */
    Object decode() throws IOException;

    /** The bytes that {@link #encode} wrote last. */
    byte[] encoded();
}
