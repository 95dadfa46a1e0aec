// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.capture;

import java.io.IOException;

/** A file is not a capture, or is malformed from some offset on. */
public final class MalformedCapture extends IOException {
    private static final long serialVersionUID = 1L;

    /** @param offset in the file, in bytes */
    MalformedCapture(long offset, String what) {
        super("at byte " + offset + " of the file: " + what);
    }
}
