// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen.random;

import java.util.Random;

/**
 * A random protocol, and a later version with additions.
 *
 * @param after the protocol with more definitions, files, programs, procedures and arms
 */
public record GrownProtocol(RandomProtocol before, RandomProtocol after) {

    /** The protocol of a seed. */
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
