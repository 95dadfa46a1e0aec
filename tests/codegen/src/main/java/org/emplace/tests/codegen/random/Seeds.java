// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen.random;

import java.util.List;
import java.util.stream.LongStream;

/**
 * The seeds of a run's random protocols. The defaults are always the same; {@code -Demplace.random.first=N} and {@code
 * -Demplace.random.count=N} change them.
 */
public record Seeds(long first, int count) {

    /** The seeds of this run, {@code usual} by default. */
    public static Seeds ofThisRun(int usual) {
        return new Seeds(Long.getLong("emplace.random.first", 1), Integer.getInteger("emplace.random.count", usual));
    }

    /** These seeds. */
    public LongStream stream() {
        return LongStream.range(first, first + count);
    }

    /** The protocols of these seeds. */
    public List<RandomProtocol> protocols(Dialect dialect) {
        return stream().mapToObj(seed -> RandomProtocol.of(seed, dialect)).toList();
    }
}
