// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.jni;

import java.io.IOException;

/** A failed system or library call. Thrown by C. */
public final class NativeException extends IOException {
    private static final long serialVersionUID = 1L;

    private final int errno;

    /**
     * Describes a failed call.
     *
     * @param function the C function, such as {@code ibv_reg_mr}
     * @param errno its error number
     * @param description the system's text for the number
     */
    public NativeException(String function, int errno, String description) {
        super(function + ": " + description);
        this.errno = errno;
    }

    /** The system's error number. */
    public int errno() {
        return errno;
    }
}
