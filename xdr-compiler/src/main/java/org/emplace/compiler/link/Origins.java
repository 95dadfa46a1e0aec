// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.link;

import org.emplace.compiler.model.Origin;
import org.emplace.compiler.source.Span;
import org.emplace.compiler.syntax.Name;

/** Converts positions of the syntax to those of the model. */
final class Origins {

    private Origins() {}

    static Origin of(Name name) {
        Span span = name.span();
        return new Origin(span.file(), span.line(), span.column());
    }
}
