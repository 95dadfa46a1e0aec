// SPDX-License-Identifier: Apache-2.0
package org.emplace.xdr;

/** Checks that generated code fits this version of the runtime. */
public final class XdrRuntime {
    /**
     * The generation of generated code that this runtime supports. It increases when existing generated code no longer
     * fits the runtime.
     */
    public static final int GENERATION = 1;

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
}
