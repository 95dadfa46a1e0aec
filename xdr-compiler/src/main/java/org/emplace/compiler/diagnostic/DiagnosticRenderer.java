// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.diagnostic;

import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.emplace.compiler.source.SourceFile;
import org.emplace.compiler.source.Span;

/** Diagnostics as text for people: the place, the message, the source line with a caret, further places, a hint. */
public final class DiagnosticRenderer {

    private static final int WIDEST_LINE = 160;

    private final Map<String, SourceFile> sources;

    /** A renderer that quotes from these files. */
    public DiagnosticRenderer(Collection<SourceFile> sources) {
        this.sources = sources.stream()
                .collect(Collectors.toUnmodifiableMap(SourceFile::name, Function.identity(), (first, second) -> first));
    }

    /** The text of one diagnostic; ends with a newline. */
    public String render(Diagnostic diagnostic) {
        StringBuilder out = new StringBuilder();
        String severity = diagnostic.severity().name().toLowerCase(Locale.ROOT);
        place(out, diagnostic.primary(), severity + "[" + diagnostic.code() + "]: " + diagnostic.message());
        for (Diagnostic.Note note : diagnostic.notes()) {
            place(out, note.span(), "note: " + note.message());
        }
        diagnostic
                .hint()
                .ifPresent(hint -> out.append("    hint: ").append(hint).append('\n'));
        return out.toString();
    }

    private void place(StringBuilder out, Span span, String text) {
        out.append(span.file()).append(':');
        if (span.line() > 0) {
            out.append(span.line()).append(':').append(span.column()).append(':');
        }
        out.append(' ').append(text).append('\n');
        SourceFile source = sources.get(span.file());
        if (source != null && span.line() > 0) {
            quote(out, source.line(span.line()), span);
        }
    }

    private static void quote(StringBuilder out, String line, Span span) {
        int before = span.column() - 1;
        if (line.isBlank() || line.length() > WIDEST_LINE || before > line.length()) {
            return;
        }
        out.append("    ").append(line).append('\n').append("    ");
        // a tab stays a tab, so that the caret stands under its character whatever the width of tabs
        line.chars().limit(before).forEach(c -> out.append(c == '\t' ? '\t' : ' '));
        int carets = Math.max(1, Math.min(span.length(), line.length() - before));
        out.append("^".repeat(carets)).append('\n');
    }
}
