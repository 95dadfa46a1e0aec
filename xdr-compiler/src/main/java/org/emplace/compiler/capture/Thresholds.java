// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.capture;

import java.nio.ByteBuffer;
import java.util.Optional;

/** How many bytes one end sends and receives inline, by RFC 8797. */
record Thresholds(int send, int receive) {
    /** Those of an end that does not say. */
    static final Thresholds DEFAULT = new Thresholds(1024, 1024);

    private static final int MAGIC = 0xf6ab0e18;
    private static final int LENGTH = 8;
    private static final int UNIT = 1024;

    /** Finds them in the private data of a connection's set-up, where other bytes may precede them. */
    static Optional<Thresholds> in(ByteBuffer privateData) {
        for (int at = 0; at + LENGTH <= privateData.limit(); at++) {
            if (privateData.getInt(at) == MAGIC && privateData.get(at + 4) == 1) {
                return Optional.of(new Thresholds(bytes(privateData.get(at + 6)), bytes(privateData.get(at + 7))));
            }
        }
        return Optional.empty();
    }

    private static int bytes(byte coded) {
        return (Byte.toUnsignedInt(coded) + 1) * UNIT;
    }
}
