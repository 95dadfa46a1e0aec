// SPDX-License-Identifier: Apache-2.0
package org.emplace.xdr;

import java.io.IOException;

/** The input is not what its XDR definition says. Misuse by the program itself is an {@link IllegalArgumentException} instead. */
public final class XdrException extends IOException {
    private static final long serialVersionUID = 1L;

    /** @param message what was wrong, and where in the stream */
    public XdrException(String message) {
        super(message);
    }
}
