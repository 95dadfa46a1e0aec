// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.header;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What the chunk limits of calls follow from. */
final class ChunkLimitsTest {
    private static final int MAXIMUM = 4 << 20;

    @Test
    void bindingsSayHowManyChunksThereMayBe() {
        ChunkLimits limits = ChunkLimits.forCalls(100, 200, MAXIMUM);
        assertThat(limits.readChunks()).as("and one at position zero").isEqualTo(101);
        assertThat(limits.writeChunks()).isEqualTo(200);
        assertThat(limits.writeSegments()).isGreaterThanOrEqualTo(200 + 259);
    }

    /** So that the reply can say that the call violates its binding. */
    @Test
    void aFewChunksAreTakenWhateverTheBindings() {
        assertThat(ChunkLimits.forCalls(0, 0, 1000)).isEqualTo(new ChunkLimits(17, 259 + 17, 16, 259 + 16));
    }

    @Test
    void theLargestMessageMayBeInPages() {
        assertThat(ChunkLimits.forCalls(1, 1, MAXIMUM).readSegments()).isGreaterThanOrEqualTo(MAXIMUM / 4096 + 3);
    }

    @Test
    void bindingsWithoutLimitHaveNone() {
        ChunkLimits limits = ChunkLimits.forCalls(Integer.MAX_VALUE, Integer.MAX_VALUE, MAXIMUM);
        assertThat(limits).isEqualTo(ChunkLimits.NONE);
    }

    /** Linux has a segment for the head of a message, one for its pages and one for its tail. */
    @Test
    void aFewSegmentsMayBeShortAndManyMayNot() {
        assertThat(ChunkLimits.mostSegments(100)).isEqualTo(16);
        assertThat(ChunkLimits.mostSegments(1 << 20)).isGreaterThanOrEqualTo(259);
    }
}
