// SPDX-License-Identifier: Apache-2.0
package org.emplace.xdr;

import java.lang.System.Logger.Level;

/** Checks that generated code fits this version of the runtime. */
public final class XdrRuntime {
    /**
     * The generation of generated code that this runtime supports. It increases when existing generated code no longer
     * fits the runtime.
     */
    public static final int GENERATION = 2;

    private XdrRuntime() {}

    /**
     * Called by generated code first when its class is initialized, so that a mismatch is reported at once.
     *
     * @param generated the generation that the code was generated for
     * @param protocolClass the generated class, for the message
     * @return {@code generated}
     * @throws IncompatibleClassChangeError if the code was generated for another runtime. The JVM propagates an error
     *     of an initializer unchanged, but wraps an exception in an error without a message
     */
    public static int requireGeneration(int generated, String protocolClass) {
        if (generated != GENERATION) {
            throw new IncompatibleClassChangeError(protocolClass + " was generated for generation " + generated
                    + " of the Emplace runtime, but this runtime is generation " + GENERATION
                    + ": use the same version of the compiler and of emplace-xdr, and generate again");
        }
        return generated;
    }

    /**
     * Limits how deep values of recursive types nest, in both directions, because both encode and decode such values by
     * recursion.
     */
    static final class Nesting {

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
                    .log(
                            Level.WARNING,
                            "-D{0}={1} is not a positive number; the limit is {2}",
                            PROPERTY,
                            text,
                            DEFAULT);
            return DEFAULT;
        }
    }
}
