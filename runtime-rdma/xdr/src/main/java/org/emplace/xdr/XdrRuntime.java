// SPDX-License-Identifier: Apache-2.0
package org.emplace.xdr;

/** Which generation of generated code this runtime is for. */
public final class XdrRuntime {
    /** Rises when generated code and runtime no longer fit together. */
    public static final int GENERATION = 1;

    private XdrRuntime() {}

    /**
     * Called by generated code as the first thing when its class is initialized, so that a mismatch shows at once and not as a strange failure later.
     *
     * @param generated the generation that the code was generated for
     * @param protocolClass the generated class, for the message
     * @return {@code generated}
     * @throws IllegalStateException if the code was generated for another runtime
     */
    public static int requireGeneration(int generated, String protocolClass) {
        if (generated != GENERATION) {
            throw new IllegalStateException(protocolClass + " was generated for generation " + generated
                    + " of the Emplace runtime, but this runtime is generation " + GENERATION
                    + ": use the same version of the compiler and of emplace-xdr, and generate again");
        }
        return generated;
    }
}
