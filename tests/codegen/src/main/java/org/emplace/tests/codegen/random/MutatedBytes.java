// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen.random;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.emplace.xdr.XdrOpaque;

/** Corrupts encoded values at random, as a faulty or hostile peer would. */
public final class MutatedBytes {
    private static final int[] NUMBERS = {0, 1, 2, 7, -1, 0x10000, Integer.MAX_VALUE, Integer.MIN_VALUE};

    private MutatedBytes() {}

    /**
     * The encoding corrupted in several ways: it ends early, has trailing bytes, lacks or repeats a word, or has another number in a word, such as a
     * large count or a similar one. The result may still be valid.
     */
    public static List<XdrOpaque> of(XdrOpaque encoding, Random random) {
        byte[] bytes = encoding.bytes();
        List<byte[]> mutated = new ArrayList<>();
        mutated.add(Arrays.copyOf(bytes, random.nextInt(bytes.length + 1)));
        mutated.add(Arrays.copyOf(bytes, bytes.length + 1 + random.nextInt(4)));
        if (bytes.length >= Integer.BYTES) {
            int words = bytes.length / Integer.BYTES;
            mutated.add(without(bytes, random.nextInt(words)));
            mutated.add(withOneMore(bytes, random.nextInt(words)));
            for (int number : NUMBERS) {
                mutated.add(withWord(bytes, random.nextInt(words), number));
            }
            mutated.add(withWord(bytes, random.nextInt(words), random.nextInt()));
            for (int difference : new int[] {1, -1}) {
                int at = random.nextInt(words);
                mutated.add(withWord(bytes, at, word(bytes, at) + difference));
            }
            int at = random.nextInt(words);
            mutated.add(withWord(bytes, at, word(bytes, at) ^ (1 << random.nextInt(Integer.SIZE))));
        }
        return mutated.stream().map(XdrOpaque::of).toList();
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

    /** The bytes with a word repeated. */
    private static byte[] withOneMore(byte[] bytes, int index) {
        int at = Integer.BYTES * index;
        byte[] longer = Arrays.copyOf(bytes, bytes.length + Integer.BYTES);
        System.arraycopy(bytes, at, longer, at + Integer.BYTES, bytes.length - at);
        return longer;
    }
}
