// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.fuzz;

/** How long a fuzz test runs when it is fuzzing, see {@code tests/fuzz/run}. */
public final class Fuzzing {
    /** Inputs tried. */
    public static final long INPUTS = 10_000_000;

    /** The time after which fewer have to do. */
    public static final String LONGEST = "1h";

    private Fuzzing() {}
}
