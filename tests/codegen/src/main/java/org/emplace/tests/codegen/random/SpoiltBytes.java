// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen.random;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.emplace.xdr.XdrOpaque;

/** An encoded value with something wrong, drawn at random: what a peer sends that is broken, or means harm. */
public final class SpoiltBytes {
    private static final int[] NUMBERS = {0, 1, 2, 7, -1, 0x10000, Integer.MAX_VALUE, Integer.MIN_VALUE};

    private SpoiltBytes() {}

    /**
     * The value in several ways: it ends early, goes on, lacks a word or has one more, or a word of it is another number, such as a large
     * count, or nearly what it was. Any of them may be a good value all the same.
     */
    public static List<XdrOpaque> of(XdrOpaque encoding, Random random) {
        byte[] bytes = encoding.bytes();
        List<byte[]> spoilt = new ArrayList<>();
        spoilt.add(Arrays.copyOf(bytes, random.nextInt(bytes.length + 1)));
        spoilt.add(Arrays.copyOf(bytes, bytes.length + 1 + random.nextInt(4)));
        if (bytes.length >= Integer.BYTES) {
            int words = bytes.length / Integer.BYTES;
            spoilt.add(without(bytes, random.nextInt(words)));
            spoilt.add(withOneMore(bytes, random.nextInt(words)));
            for (int number : NUMBERS) {
                spoilt.add(withWord(bytes, random.nextInt(words), number));
            }
            spoilt.add(withWord(bytes, random.nextInt(words), random.nextInt()));
            for (int difference : new int[] {1, -1}) {
                int at = random.nextInt(words);
                spoilt.add(withWord(bytes, at, word(bytes, at) + difference));
            }
            int at = random.nextInt(words);
            spoilt.add(withWord(bytes, at, word(bytes, at) ^ (1 << random.nextInt(Integer.SIZE))));
        }
        return spoilt.stream().map(XdrOpaque::of).toList();
    }

    private static int word(byte[] bytes, int index) {
        return ByteBuffer.wrap(bytes).getInt(Integer.BYTES * index);
    }

    private static byte[] withWord(byte[] bytes, int index, int word) {
        byte[] changed = bytes.clone();
        ByteBuffer.wrap(changed).putInt(Integer.BYTES * index, word);
        return changed;
    }

    private static byte[] without(byte[] bytes, int index) {
        int at = Integer.BYTES * index;
        byte[] shorter = Arrays.copyOf(bytes, bytes.length - Integer.BYTES);
        System.arraycopy(bytes, at + Integer.BYTES, shorter, at, shorter.length - at);
        return shorter;
    }

    /** The word, twice. */
    private static byte[] withOneMore(byte[] bytes, int index) {
        int at = Integer.BYTES * index;
        byte[] longer = Arrays.copyOf(bytes, bytes.length + Integer.BYTES);
        System.arraycopy(bytes, at, longer, at + Integer.BYTES, bytes.length - at);
        return longer;
    }
}
