// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.cli;

import org.emplace.compiler.diagnostic.Style;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Whether text is coloured: an option that several commands have. */
final class Colour {

    /** Set by the launcher, which can tell, if messages go to a terminal. */
    private static final String TERMINAL = "xdrc.terminal";

    /** When to colour. */
    enum When {
        AUTO,
        ALWAYS,
        NEVER
    }

    @Option(
            names = "--color",
            paramLabel = "WHEN",
            defaultValue = "auto",
            description = "colour messages: always, never, or auto: on a terminal, if NO_COLOR is not set")
    private When when = When.AUTO;

    Style style() {
        @Nullable String noColour = System.getenv("NO_COLOR");
        boolean automatic = Boolean.getBoolean(TERMINAL) && (noColour == null || noColour.isEmpty());
        return when == When.ALWAYS || (when == When.AUTO && automatic) ? Style.COLOURED : Style.PLAIN;
    }
}
