// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.link;

import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.source.Span;
import org.emplace.compiler.syntax.Name;

/** Makes the error for a name that is defined twice. */
final class Duplicates {

    private Duplicates() {}

    static Diagnostic of(String what, Name name, Span first) {
        return Diagnostic.error("E201", name.span(), "the " + what + " `" + name.text() + "` is already defined")
                .note(first, "first defined here");
    }
}
