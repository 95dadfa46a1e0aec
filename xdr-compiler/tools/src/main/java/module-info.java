// SPDX-License-Identifier: Apache-2.0
/** What else reads XDR files with their bindings: for each command of {@code xdrc} that does, and for build tools, a package. */
module org.emplace.compiler.tools {
    requires java.compiler;
    requires transitive org.emplace.compiler;
    requires static org.jspecify;

    exports org.emplace.compiler.compare;
    exports org.emplace.compiler.document;
    exports org.emplace.compiler.extract;
    exports org.emplace.compiler.starter;
    exports org.emplace.compiler.suggest;
}
