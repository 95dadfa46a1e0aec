// SPDX-License-Identifier: Apache-2.0
package org.emplace.xdr;

import java.lang.System.Logger.Level;

/**
 * Limits how deep values of recursive types nest, in both directions, because both encode and decode such values by
 * recursion.
 */
final class Nesting {

    /** The system property that sets the limit. It is one for the JVM because the size of threads' stacks is. */
    static final String PROPERTY = "org.emplace.xdr.nesting";

    private static final int DEFAULT = 200;

    /** The most levels. */
    static final int LIMIT = configured();

    private Nesting() {}

    /** What an exception says about a value with more levels. */
    static String tooDeep() {
        return "values nest deeper than " + LIMIT + " levels; -D" + PROPERTY + " sets the limit of this JVM";
    }

    private static int configured() {
        String text = System.getProperty(PROPERTY, "");
        try {
            int levels = text.isEmpty() ? DEFAULT : Integer.parseInt(text);
            if (levels > 0) {
                return levels;
            }
        } catch (NumberFormatException notANumber) {
            // Logged below.
        }
        System.getLogger(Nesting.class.getName())
                .log(Level.WARNING, "-D{0}={1} is not a positive number; the limit is {2}", PROPERTY, text, DEFAULT);
        return DEFAULT;
    }
}
