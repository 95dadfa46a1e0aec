// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.capture;

import java.io.IOException;

/** A file is no capture, or not from some place on. */
public final class MalformedCapture extends IOException {
    private static final long serialVersionUID = 1L;

    /** @param offset of the place in the file */
    MalformedCapture(long offset, String what) {
        super("at byte " + offset + " of the file: " + what);
    }
}
