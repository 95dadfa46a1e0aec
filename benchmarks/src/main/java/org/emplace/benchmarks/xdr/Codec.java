// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.xdr;

import java.io.IOException;

/** Encodes and decodes one message again and again. Used by one thread. */
interface Codec {

    /**
     * Encodes the message into the same buffer each time.
     *
     * @return its length
     */
    int encode() throws IOException;

    /** The message, decoded anew. */
    Object decode() throws IOException;

    /** What {@link #encode} wrote last. */
    byte[] encoded();
}
