// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import org.emplace.xdr.XdrOpaque;

/** Input that a well-behaved peer never sends. */
final class HostileInput {
    private static final int WORDS = 4096;

    private HostileInput() {}

    /** Long inputs for any type: endless optional-data, nested arrays whose counts are as large as the rest of the input, and random bytes. */
    static List<XdrOpaque> longOnes(Random random) {
        List<XdrOpaque> inputs = new ArrayList<>();
        inputs.add(words(i -> 0));
        inputs.add(words(i -> 1));
        inputs.add(words(i -> i % 2));
        for (int size = 1; size <= 8; size++) {
            int elementWords = size;
            inputs.add(words(i -> (WORDS - 1 - i) / elementWords));
        }
        for (int bound : new int[] {2, 2, 3, 5, 100}) {
            inputs.add(words(i -> random.nextInt(bound)));
        }
        return inputs;
    }

    private static XdrOpaque words(IntUnaryOperator word) {
        ByteBuffer bytes = ByteBuffer.allocate(4 * WORDS);
        for (int i = 0; i < WORDS; i++) {
            bytes.putInt(word.applyAsInt(i));
        }
        return XdrOpaque.of(bytes.array());
    }
}
