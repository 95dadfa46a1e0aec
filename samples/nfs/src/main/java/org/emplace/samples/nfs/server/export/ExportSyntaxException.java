// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.export;

/** An export is described in a way that cannot be understood. The message is one line: what is wrong, and what would be right. */
public final class ExportSyntaxException extends Exception {
    private static final long serialVersionUID = 1L;

    public ExportSyntaxException(String message) {
        super(message);
    }
}
