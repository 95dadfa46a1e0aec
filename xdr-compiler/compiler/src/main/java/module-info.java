// SPDX-License-Identifier: Apache-2.0
/** The compiler, for build tools. */
// ANTLR and JavaPoet are automatic modules. The modules named by the qualified exports are built after this one.
@SuppressWarnings({"requires-automatic", "module"})
module org.emplace.compiler {
    requires java.compiler;
    requires org.antlr.antlr4.runtime;
    requires com.palantir.javapoet;
    requires com.fasterxml.jackson.core;
    requires static org.jspecify;

    exports org.emplace.compiler;
    exports org.emplace.compiler.diagnostic;
    exports org.emplace.compiler.output;
    exports org.emplace.compiler.preprocess;
    exports org.emplace.compiler.source;
    exports org.emplace.compiler.model to
            org.emplace.compiler.tools,
            org.emplace.compiler.capture,
            org.emplace.compiler.cli;
    exports org.emplace.compiler.binding to
            org.emplace.compiler.tools,
            org.emplace.compiler.capture;
    exports org.emplace.compiler.javamodel to
            org.emplace.compiler.tools,
            org.emplace.compiler.cli;
    exports org.emplace.compiler.emit to
            org.emplace.compiler.tools;
}
