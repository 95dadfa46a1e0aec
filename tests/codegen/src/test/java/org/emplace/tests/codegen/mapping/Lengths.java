// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen.mapping;

/** Draws lengths of items. */
enum Lengths {
    /** Up to some hundred bytes, which many calls of a test can have. */
    SHORT,
    /** Short ones, some around multiples of four and both inline thresholds, a few large ones. */
    USUAL,
    /** Half of them up to the limit, so that a reply of several does not fit into the memory for it. */
    LARGE;

    private static final int SHORT_LIMIT = 600;

    private static final int[] AROUND = {1024, 8192, 1024 - 100, 8192 - 100, 4096};

    /** A length in bytes that is not larger than the limit. */
    long of(Draws draws, long limit) {
        if (this == LARGE && draws.at("larger").oneIn(2)) {
            return draws.at("to limit").upTo(limit);
        }
        return Math.min(
                limit, this == SHORT ? shortOne(draws) : length(draws.at("kind").below(16), draws, limit));
    }

    private static long shortOne(Draws draws) {
        return switch (draws.at("short").below(8)) {
            case 0 -> 0;
            case 1, 2 -> draws.at("few").below(9);
            case 7 -> SHORT_LIMIT;
            default -> draws.at("some").below(300);
        };
    }

    private static long length(int kind, Draws draws, long limit) {
        return switch (kind) {
            case 0 -> 0;
            case 1, 2, 3 -> draws.at("few").below(9);
            case 4, 5 -> draws.at("some").below(300);
            case 6, 7 -> 4L * draws.at("words").below(600) + draws.at("rest").below(4);
            case 8, 9 -> around(draws);
            case 10 -> largest(draws, limit);
            case 11, 12 -> Math.max(0, largest(draws, limit) - draws.at("less").below(5));
            case 13, 14 -> draws.at("thousands").upTo(Math.min(limit, 6_000));
            default -> draws.at("any").upTo(Math.min(limit, draws.at("large").oneIn(4) ? 60_000 : 12_000));
        };
    }

    /** The limit; a large one seldom, because that takes long. */
    private static long largest(Draws draws, long limit) {
        return limit <= 10_000 || draws.at("largest").oneIn(5) ? limit : 10_000;
    }

    /** A length that a caller asks for. */
    static long wanted(Draws draws) {
        int kind = draws.at("kind").below(20);
        return switch (kind) {
            case 0, 1 -> draws.at("few").below(9);
            case 2, 3, 4 -> draws.at("some").below(400);
            case 5, 6, 7 -> around(draws);
            case 17 -> 30_000 + draws.at("large").below(30_000);
            case 18 -> 0;
            case 19 -> draws.at("huge").below(8) == 7 ? 0xffffffffL : 20_000;
            default -> 400 + draws.at("any").below(4_000);
        };
    }

    private static long around(Draws draws) {
        return AROUND[draws.at("threshold").below(AROUND.length)]
                - 70L
                + draws.at("near").below(80);
    }
}
