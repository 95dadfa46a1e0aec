// SPDX-License-Identifier: Apache-2.0
/** The compiler, for build tools, and the command {@code xdrc}. */
// ANTLR and JavaPoet are automatic modules.
@SuppressWarnings("requires-automatic")
module org.emplace.compiler {
    requires java.compiler;
    requires org.antlr.antlr4.runtime;
    requires com.palantir.javapoet;
    requires com.fasterxml.jackson.core;
    requires info.picocli;
    requires static org.jspecify;

    exports org.emplace.compiler;
    exports org.emplace.compiler.diagnostic;
    exports org.emplace.compiler.output;
    exports org.emplace.compiler.preprocess;
    exports org.emplace.compiler.source;

    opens org.emplace.compiler.cli to
            info.picocli;
}
