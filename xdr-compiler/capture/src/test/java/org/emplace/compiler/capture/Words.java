// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.capture;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;

/** Bytes written field by field, big-endian. */
final class Words {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    static Words of(int... words) {
        Words all = new Words();
        for (int word : words) {
            all.bytes.writeBytes(ByteBuffer.allocate(4).putInt(word).array());
        }
        return all;
    }

    Words and(int... words) {
        return and(of(words).toBytes());
    }

    Words and(byte[] more) {
        bytes.writeBytes(more);
        return this;
    }

    Words and(Words more) {
        return and(more.toBytes());
    }

    Words wide(long value) {
        return and(ByteBuffer.allocate(8).putLong(value).array());
    }

    Words octets(int... octets) {
        for (int octet : octets) {
            bytes.write(octet);
        }
        return this;
    }

    Words shorts(int... values) {
        for (int value : values) {
            octets(value >> 8, value);
        }
        return this;
    }

    byte[] toBytes() {
        return bytes.toByteArray();
    }
}
