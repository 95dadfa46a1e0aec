// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.diagnostic;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds the known name that an unknown one was probably meant to be, if they differ only by typing errors. */
public final class Spelling {

    private static final int MOST_SLIPS = 2;
    private static final int SHORT = 4;
    private static final int TOO_SHORT = 1;

    private Spelling() {}

    /** A hint with the nearest known name, if one is near enough. */
    public static Optional<String> hint(String written, Collection<String> known) {
        Optional<String> inOtherCase = known.stream()
                .filter(name -> name.equalsIgnoreCase(written) && !name.equals(written))
                .min(Comparator.naturalOrder());
        if (inOtherCase.isPresent()) {
            return inOtherCase.map(name -> "did you mean `" + name + "`?");
        }
        if (written.length() <= TOO_SHORT) {
            return Optional.empty();
        }
        int most = written.length() <= SHORT ? 1 : MOST_SLIPS;
        return known.stream()
                .filter(name -> Math.abs(name.length() - written.length()) <= most)
                .filter(name -> slips(written, name) <= most)
                .min(Comparator.comparingInt((String name) -> slips(written, name))
                        .thenComparing(Comparator.naturalOrder()))
                .map(name -> "did you mean `" + name + "`?");
    }

    /** Whether two names differ by one typing error, or only in case. */
    public static boolean isSlip(String written, String known) {
        return known.equalsIgnoreCase(written) || slips(written, known) <= 1;
    }

    /** The number of characters that were left out, added, replaced, or swapped with the next one. */
    private static int slips(String a, String b) {
        int[][] distance = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                distance[i][j] = i == 0 || j == 0 ? i + j : step(a, b, i, j, distance);
            }
        }
        return distance[a.length()][b.length()];
    }

    private static int step(String a, String b, int i, int j, int[][] distance) {
        int mistaken = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        int least = Math.min(distance[i - 1][j - 1] + mistaken, 1 + Math.min(distance[i - 1][j], distance[i][j - 1]));
        boolean swapped = i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
        return swapped ? Math.min(least, distance[i - 2][j - 2] + 1) : least;
    }
}
