// SPDX-License-Identifier: Apache-2.0
/** The command {@code xdrc}. Exports nothing. */
module org.emplace.compiler.cli {
    requires java.compiler;
    requires org.emplace.compiler.capture;
    requires org.emplace.compiler.tools;
    requires com.fasterxml.jackson.core;
    requires info.picocli;
    requires static org.jspecify;

    opens org.emplace.compiler.cli to
            info.picocli;
}
