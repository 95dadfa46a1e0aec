// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.samples.nfs.server.state.TestedState.assertStatus;

import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import org.emplace.samples.nfs.server.state.ByteRanges.Locked;
import org.emplace.samples.nfs.server.state.StateException.Status;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranges, split and merged, against an array with an element for each byte. */
class ByteRangesTest {
    private static final int WINDOW = 40;
    private static final int STEPS = 20_000;

    private enum Held {
        NOTHING,
        READ,
        WRITE
    }

    private final ByteRanges ranges = new ByteRanges();

    @Test
    void aRangeEndsAtTheLastOffset() throws StateException {
        assertThat(ByteRange.of(5, 1)).isEqualTo(new ByteRange(5, 5));
        assertThat(ByteRange.of(5, -1)).isEqualTo(new ByteRange(5, -1));
        assertThat(ByteRange.of(-2, 2)).isEqualTo(new ByteRange(-2, -1));
        assertThat(ByteRange.of(-1, 1).length()).isEqualTo(-1);
        assertThat(ByteRange.of(0, -1).length()).isEqualTo(-1);
        assertThat(ByteRange.of(5, 7).length()).isEqualTo(7);
        assertStatus(Status.INVAL, () -> ByteRange.of(5, 0));
        assertStatus(Status.INVAL, () -> ByteRange.of(-2, 3));
        assertStatus(Status.INVAL, () -> ByteRange.of(-1, -2));
    }

    /** At the first offset, where the sign changes, and up to the last offset. */
    @ParameterizedTest
    @ValueSource(longs = {0, Long.MAX_VALUE - WINDOW / 2, -WINDOW})
    void anyStepsLeaveWhatAnArrayHas(long base) {
        Random random = new Random(base);
        Held[] model = new Held[WINDOW];
        Arrays.fill(model, Held.NOTHING);
        for (int step = 0; step < STEPS; step++) {
            int first = random.nextInt(WINDOW);
            int last = first + random.nextInt(WINDOW - first);
            ByteRange range = new ByteRange(base + first, base + last);
            Held held = Held.values()[random.nextInt(3)];
            if (held == Held.NOTHING) {
                int before = ranges.size();
                boolean isSplit = ranges.isSplitBy(range);
                ranges.unlock(range);
                assertThat(ranges.size() > before).isEqualTo(isSplit);
            } else {
                ranges.lock(range, held == Held.WRITE);
            }
            Arrays.fill(model, first, last + 1, held);
            assertThat(ranges.size()).as("step %d", step).isEqualTo(runs(model));
            check(model, base, random);
        }
    }

    private void check(Held[] model, long base, Random random) {
        int first = random.nextInt(WINDOW);
        int last = first + random.nextInt(WINDOW - first);
        for (Held wanted : new Held[] {Held.READ, Held.WRITE}) {
            Optional<Locked> conflict = ranges.conflict(new ByteRange(base + first, base + last), wanted == Held.WRITE);
            assertThat(conflict).isEqualTo(expected(model, base, first, last, wanted));
        }
    }

    private static Optional<Locked> expected(Held[] model, long base, int first, int last, Held wanted) {
        for (int i = first; i <= last; i++) {
            if (model[i] == Held.WRITE || (model[i] == Held.READ && wanted == Held.WRITE)) {
                int start = i;
                while (start > 0 && model[start - 1] == model[i]) {
                    start--;
                }
                int end = i;
                while (end < WINDOW - 1 && model[end + 1] == model[i]) {
                    end++;
                }
                return Optional.of(new Locked(new ByteRange(base + start, base + end), model[i] == Held.WRITE));
            }
        }
        return Optional.empty();
    }

    private static int runs(Held[] model) {
        int runs = 0;
        for (int i = 0; i < model.length; i++) {
            if (model[i] != Held.NOTHING && (i == 0 || model[i - 1] != model[i])) {
                runs++;
            }
        }
        return runs;
    }
}
