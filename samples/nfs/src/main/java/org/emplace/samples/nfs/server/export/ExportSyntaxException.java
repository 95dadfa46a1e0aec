// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.export;

/** The description of an export is invalid. The message is one line that says what is wrong and what is valid. */
public final class ExportSyntaxException extends Exception {
    private static final long serialVersionUID = 1L;

    public ExportSyntaxException(String message) {
        super(message);
    }
}
