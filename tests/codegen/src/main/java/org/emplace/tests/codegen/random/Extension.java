// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen.random;

import java.util.Random;

/**
 * A protocol drawn at random, and what it has become a year later.
 *
 * @param after the same with definitions, files, programs, procedures and arms more
 */
public record Extension(RandomProtocol before, RandomProtocol after) {

    /** The extension that a seed stands for. */
    public static Extension of(long seed) {
        Random random = new Random(~seed);
        Extension drawn;
        do {
            ProtocolDraft draft = new ProtocolDraft(seed, Dialect.WHOLE, random);
            RandomProtocol before = draft.finish();
            drawn = new Extension(before, draft.extended(before));
        } while (drawn.before().hasClashes() || drawn.after().hasClashes());
        return drawn;
    }

    @Override
    public String toString() {
        return before + "\n\nbecomes\n\n" + after;
    }
}
