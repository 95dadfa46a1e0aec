// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.diagnostic;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.emplace.compiler.source.Span;

/**
 * A message of the compiler about its input.
 *
 * @param code a stable identifier: {@code E}, {@code W} or {@code N} and three digits; 1xx syntax, 2xx linking, 3xx binding
 * @param severity whether output is possible
 * @param primary the position
 * @param message what is wrong, in one sentence without a full stop
 * @param notes further positions
 * @param hint what to do, if there is advice
 */
public record Diagnostic(
        String code, Severity severity, Span primary, String message, List<Note> notes, Optional<String> hint)
        implements Comparable<Diagnostic> {

    private static final Comparator<Diagnostic> ORDER = Comparator.comparing(Diagnostic::primary)
            .thenComparing(Diagnostic::code)
            .thenComparing(Diagnostic::message);

    /** Whether output is possible. */
    public enum Severity {
        /** There is no output. */
        ERROR,
        /** Output is possible, but the user should check the input. */
        WARNING,
        /** Output is as intended; the input is not standard XDR, or could be improved. */
        NOTE
    }

    /** A further position, and its meaning. */
    public record Note(Span span, String message) {}

    public Diagnostic {
        notes = List.copyOf(notes);
    }

    /** An error without notes or hint. */
    public static Diagnostic error(String code, Span primary, String message) {
        return new Diagnostic(code, Severity.ERROR, primary, message, List.of(), Optional.empty());
    }

    /** A warning without notes or hint. */
    public static Diagnostic warning(String code, Span primary, String message) {
        return new Diagnostic(code, Severity.WARNING, primary, message, List.of(), Optional.empty());
    }

    /** Whether this prevents output. */
    public boolean isError() {
        return severity == Severity.ERROR;
    }

    /** This diagnostic as an error. */
    public Diagnostic asError() {
        return new Diagnostic(code, Severity.ERROR, primary, message, notes, hint);
    }

    /** This diagnostic for a number of uses, of which it is at the first. */
    Diagnostic withUses(int uses) {
        String more = uses == 1 ? "" : " (and " + (uses - 1) + (uses == 2 ? " more use)" : " more uses)");
        return new Diagnostic(code, severity, primary, message + more, notes, hint);
    }

    /** This diagnostic with a further note. */
    public Diagnostic note(Span span, String text) {
        List<Note> more = new ArrayList<>(notes);
        more.add(new Note(span, text));
        return new Diagnostic(code, severity, primary, message, more, hint);
    }

    /** This diagnostic with advice. */
    public Diagnostic hint(String text) {
        return hint(Optional.of(text));
    }

    /** This diagnostic with advice, or without if it is empty. */
    public Diagnostic hint(Optional<String> text) {
        return new Diagnostic(code, severity, primary, message, notes, text);
    }

    @Override
    public int compareTo(Diagnostic other) {
        return ORDER.compare(this, other);
    }
}
