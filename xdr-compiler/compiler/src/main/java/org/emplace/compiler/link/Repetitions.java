// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.link;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.diagnostic.Extension;
import org.emplace.compiler.model.Imports;
import org.emplace.compiler.source.Span;
import org.emplace.compiler.syntax.Declaration;
import org.emplace.compiler.syntax.Definition;
import org.emplace.compiler.syntax.Name;
import org.emplace.compiler.syntax.SyntaxFile.Written;
import org.emplace.compiler.syntax.TypeSyntax;

/**
 * Pass 1: leaves out definitions that repeat others word for word. The files of a run share one scope, and each often defines the types that it
 * needs. Repetitions that come from a file which several others include, or from an import, are not reported.
 */
final class Repetitions {

    /** Identifies a definition in its scope. */
    private record Key(Class<?> scope, String name) {}

    private final Map<Key, Written> known = new HashMap<>();
    private final Imports imports;
    private final Diagnostics diagnostics;

    private Repetitions(Imports imports, Diagnostics diagnostics) {
        this.imports = imports;
        this.diagnostics = diagnostics;
    }

    static List<Definition> leaveOut(List<Written> all, Imports imports, Diagnostics diagnostics) {
        Repetitions repetitions = new Repetitions(imports, diagnostics);
        List<Definition> kept = new ArrayList<>();
        for (Written written : all) {
            if (!repetitions.isKnown(written)) {
                kept.add(written.definition());
            }
        }
        return kept;
    }

    private boolean isKnown(Written written) {
        Definition definition = written.definition();
        Name name = definition.name();
        if (definition instanceof Definition.Typedef typedef && namesItself(typedef.declaration())) {
            diagnostics.report(Extension.REPEATED_DEFINITION.at(
                    name.span(), "`" + name.text() + "` needs no typedef of its own name"));
            typedef.declaration()
                    .clauses()
                    .forEach(clause -> diagnostics.report(clause.withoutEffect(
                            "this typedef gives `" + name.text() + "` no other name; write it before the definition")));
            return true;
        }
        Class<?> scope = definition instanceof Definition.Typedef ? Definition.Type.class : definition.getClass();
        Written first = known.putIfAbsent(new Key(scope, name.text()), written);
        if (first == null || !first.text().equals(written.text())) {
            return false;
        }
        Name before = first.definition().name();
        boolean isSame = before.span().equals(name.span());
        if (!isSame && imports.packageOf(before.span().file()).isEmpty()) {
            diagnostics.report(Extension.REPEATED_DEFINITION
                    .at(name.span(), "`" + name.text() + "` repeats an earlier definition")
                    .note(before.span(), "first defined here"));
        }
        return true;
    }

    /** Whether this is {@code typedef struct x x}, which C requires. */
    private static boolean namesItself(Declaration declaration) {
        return declaration.shape() instanceof Declaration.Shape.Plain
                && declaration.type() instanceof TypeSyntax.Named named
                && named.tag() != TypeSyntax.Tag.ANY
                && named.name().text().equals(declaration.name().text());
    }

    /** The error for a name with two definitions, one of which does not repeat the other. */
    static Diagnostic error(String what, Name name, Span first) {
        return Diagnostic.error("E201", name.span(), "the " + what + " `" + name.text() + "` is already defined")
                .note(first, "first defined here");
    }
}
