// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.cli;

import org.emplace.compiler.diagnostic.Style;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Whether text is colored: an option that several commands have. */
final class Color {

    /** Set by the launcher, which can tell, if standard output goes to a terminal. */
    private static final String OUTPUT = "xdrc.terminal.out";

    /** And if standard error does. */
    private static final String MESSAGES = "xdrc.terminal.err";

    /** When to color. */
    enum When {
        AUTO,
        ALWAYS,
        NEVER
    }

    @Option(
            names = "--color",
            paramLabel = "WHEN",
            defaultValue = "auto",
            description = "color messages: always, never, or auto: on a terminal, if NO_COLOR is not set")
    private When when = When.AUTO;

    /** Of what a command was asked for, which goes to standard output. */
    Style ofOutput() {
        return style(OUTPUT);
    }

    /** For messages on standard error. */
    Style ofMessages() {
        return style(MESSAGES);
    }

    private Style style(String terminal) {
        @Nullable String noColor = System.getenv("NO_COLOR");
        boolean automatic = Boolean.getBoolean(terminal) && (noColor == null || noColor.isEmpty());
        return when == When.ALWAYS || (when == When.AUTO && automatic) ? Style.COLORED : Style.PLAIN;
    }
}
