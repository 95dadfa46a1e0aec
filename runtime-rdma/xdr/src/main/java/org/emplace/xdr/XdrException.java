// SPDX-License-Identifier: Apache-2.0
package org.emplace.xdr;

import java.io.IOException;

/**
 * Reports that the input is not a valid encoding of the XDR type to be read. Invalid use by the application throws
 * {@link IllegalArgumentException} instead. It has no stack trace, because a peer can cause any number of them: the
 * message says what is wrong with the input, and where.
 */
public final class XdrException extends IOException {
    private static final long serialVersionUID = 1L;

    /** @param message what was wrong, and at which position */
    public XdrException(String message) {
        super(message);
    }

    @Override
    @SuppressWarnings("UnsynchronizedOverridesSynchronized") // It changes nothing.
    public Throwable fillInStackTrace() {
        return this;
    }
}
