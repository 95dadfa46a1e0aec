// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler;

import java.util.List;
import java.util.Optional;
import org.emplace.compiler.binding.Binding;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.javamodel.JavaModel;
import org.emplace.compiler.model.Protocol;

/**
 * The result of analyzing source files.
 *
 * @param meaning empty if there are errors
 * @param diagnostics errors and warnings, by position
 */
public record Analysis(Optional<Meaning> meaning, List<Diagnostic> diagnostics) {

    /** A checked protocol, its binding, and its Java model. */
    public record Meaning(Protocol protocol, Binding binding, JavaModel java) {}
}
