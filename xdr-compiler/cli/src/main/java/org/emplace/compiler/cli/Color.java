// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.cli;

import org.emplace.compiler.diagnostic.Style;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option that decides whether text is colored, shared by several commands. */
final class Color {

    /** The launcher, which can find out, sets this property if standard output is a terminal. */
    private static final String OUTPUT = "xdrc.terminal.out";

    /** The same for standard error. */
    private static final String MESSAGES = "xdrc.terminal.err";

    /** When to use color. */
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

    /** For the results of commands, on standard output. */
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
