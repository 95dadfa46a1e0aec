// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen.mapping;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A message in XDR, written without the encoders under test, and where its eligible items are. */
final class Encoding {
    /** Make each byte of a word one from 0x40 to 0x7f. */
    private static final long TEXT_BITS = 0x3f3f3f3f3f3f3f3fL;

    private static final long TEXT_BASE = 0x4040404040404040L;

    private byte[] bytes = new byte[1024];
    private int length;
    private final List<Placed> items = new ArrayList<>();

    /**
     * An eligible item that is present.
     *
     * @param element the index of its element among those of its innermost array or list, counted through
     * @param offset of its bytes
     * @param length of its bytes, without padding
     * @param size its largest size, or one of the values of {@link Size}
     */
    record Placed(Node.Item item, int element, int offset, int length, long size) {}

    void writeInt(int value) {
        room(4);
        ByteBuffer.wrap(bytes).putInt(length, value);
        length += 4;
    }

    void writeLong(long value) {
        writeInt((int) (value >>> 32));
        writeInt((int) value);
    }

    /** Writes so many bytes that depend on the seed, and their padding. */
    void writeBytes(int count, long seed, boolean asText) {
        int padded = (count + 3) & ~3;
        room(padded);
        long word = seed;
        ByteBuffer out = ByteBuffer.wrap(bytes);
        int i = 0;
        for (; i + 8 <= count; i += 8) {
            word = word * 0x5851f42d4c957f2dL + 0x14057b7ef767814fL;
            out.putLong(length + i, asText ? (word & TEXT_BITS) | TEXT_BASE : word);
        }
        word = word * 0x5851f42d4c957f2dL + 0x14057b7ef767814fL;
        for (; i < count; i++) {
            word >>>= 7;
            bytes[length + i] = (byte) (asText ? (word & 0x3f) | 0x40 : word);
        }
        Arrays.fill(bytes, length + count, length + padded, (byte) 0);
        length += padded;
    }

    /** Fills in a number that was written before. */
    void setInt(int offset, int value) {
        ByteBuffer.wrap(bytes).putInt(offset, value);
    }

    int intAt(int offset) {
        return ByteBuffer.wrap(bytes).getInt(offset);
    }

    void add(Placed item) {
        items.add(item);
    }

    int length() {
        return length;
    }

    /** The message. */
    ByteBuffer bytes() {
        return ByteBuffer.wrap(bytes, 0, length).slice().asReadOnlyBuffer();
    }

    /** The bytes of an item. */
    ByteBuffer bytes(Placed item) {
        return ByteBuffer.wrap(bytes, item.offset(), item.length()).slice().asReadOnlyBuffer();
    }

    /** The items that are present, in stream order. */
    List<Placed> items() {
        return items;
    }

    /** The length of the message without its items. */
    int lengthWithoutItems() {
        return length
                - items.stream().mapToInt(each -> (each.length() + 3) & ~3).sum();
    }

    private void room(int more) {
        if (length + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + more));
        }
    }
}
