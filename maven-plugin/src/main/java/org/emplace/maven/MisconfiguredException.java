// SPDX-License-Identifier: Apache-2.0
package org.emplace.maven;

/** The plugin's configuration in the POM is invalid. The message tells what to change. */
final class MisconfiguredException extends Exception {
    private static final long serialVersionUID = 1L;

    MisconfiguredException(String message) {
        super(message);
    }

    MisconfiguredException(String message, Throwable cause) {
        super(message, cause);
    }
}
