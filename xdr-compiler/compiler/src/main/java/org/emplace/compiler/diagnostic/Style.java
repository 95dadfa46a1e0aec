// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.diagnostic;

/** How to emphasize text for people: by colors of a terminal, or not at all. */
public enum Style {
    PLAIN,
    COLORED;

    private static final String RESET = "\u001b[0m";

    /** The role of a piece of text. */
    public enum Role {
        ERROR("\u001b[1;31m"),
        WARNING("\u001b[1;35m"),
        NOTE("\u001b[1;36m"),
        HINT("\u001b[32m"),
        PLACE("\u001b[1m"),
        HEADING("\u001b[1m"),
        CODE("\u001b[36m");

        private final String begin;

        Role(String begin) {
            this.begin = begin;
        }
    }

    /** The text in this style. */
    public String of(Role role, String text) {
        return this == PLAIN || text.isEmpty() ? text : role.begin + text + RESET;
    }
}
