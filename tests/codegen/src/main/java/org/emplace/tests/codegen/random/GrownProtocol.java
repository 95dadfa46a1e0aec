// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen.random;

import java.util.Random;

/**
 * A protocol drawn at random, and what it has become a year later.
 *
 * @param after the same with definitions, files, programs, procedures and arms more
 */
public record GrownProtocol(RandomProtocol before, RandomProtocol after) {

    /** The one that a seed stands for. */
    public static GrownProtocol of(long seed) {
        Random random = new Random(~seed);
        GrownProtocol drawn;
        do {
            ProtocolDraft draft = new ProtocolDraft(seed, Dialect.WHOLE, random);
            RandomProtocol before = draft.finish();
            drawn = new GrownProtocol(before, draft.extended(before));
        } while (drawn.before().hasClashes() || drawn.after().hasClashes());
        return drawn;
    }

    @Override
    public String toString() {
        return before + "\n\nbecomes\n\n" + after;
    }
}
