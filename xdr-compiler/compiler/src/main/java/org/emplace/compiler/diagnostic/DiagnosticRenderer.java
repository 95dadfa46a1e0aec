// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.diagnostic;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.emplace.compiler.source.SourceFile;
import org.emplace.compiler.source.Span;


/** Diagnostics as text: the position, the message, the source line with carets, the notes, and the hint. Not thread-safe. */
public final class DiagnosticRenderer {

    private static final int WIDEST_LINE = 160;

    private final Map<String, SourceFile> sources;
    private final Map<String, List<String>> lines = new HashMap<>();
    private final Style style;

    /** A renderer that quotes from these files. */
    public DiagnosticRenderer(Collection<SourceFile> sources) {
        this(sources, Style.PLAIN);
    }

    /** A renderer that quotes from these files, in a style. */
    public DiagnosticRenderer(Collection<SourceFile> sources, Style style) {
        this.sources = sources.stream()
                .collect(Collectors.toUnmodifiableMap(SourceFile::name, Function.identity(), (first, second) -> first));
        this.style = style;
    }

    /** The text of one diagnostic; ends with a newline. */
    public String render(Diagnostic diagnostic) {
        StringBuilder out = new StringBuilder();
        String severity = diagnostic.severity().name().toLowerCase(Locale.ROOT);
        Style.Role role = switch (diagnostic.severity()) {
            case ERROR -> Style.Role.ERROR;
            case WARNING -> Style.Role.WARNING;
            case NOTE -> Style.Role.NOTE;
        };
        place(out, diagnostic.primary(), role, severity + "[" + diagnostic.code() + "]:", diagnostic.message());
        for (Diagnostic.Note note : diagnostic.notes()) {
            place(out, note.span(), Style.Role.NOTE, "note:", note.message());
        }
        diagnostic
                .hint()
                .ifPresent(hint -> out.append("    ")
                        .append(style.of(Style.Role.HINT, "hint:"))
                        .append(' ')
                        .append(Visible.text(hint))
                        .append('\n'));
        return out.toString();
    }

    private void place(StringBuilder out, Span span, Style.Role role, String label, String message) {
        String place = span.file() + ":" + (span.line() > 0 ? span.line() + ":" + span.column() + ":" : "");
        out.append(style.of(Style.Role.PLACE, Visible.text(place))).append(' ');
        out.append(style.of(role, label))
                .append(' ')
                .append(Visible.text(message))
                .append('\n');
        line(span).ifPresent(line -> quote(out, line, span, role));
    }

    /** The line of a position; empty if its file cannot be quoted. */
    private Optional<String> line(Span span) {
        SourceFile source = sources.get(span.file());
        if (source == null) {
            return Optional.empty();
        }
        List<String> all =
                lines.computeIfAbsent(span.file(), file -> source.text().lines().toList());
        return span.line() > 0 && span.line() <= all.size() ? Optional.of(all.get(span.line() - 1)) : Optional.empty();
    }

    private void quote(StringBuilder out, String line, Span span, Style.Role role) {
        int before = span.column() - 1;
        if (line.isBlank() || line.length() > WIDEST_LINE || before > line.length()) {
            return;
        }
        // A tab stays a tab, so that the carets are below their characters whatever the width of tabs.
        String start = Visible.line(line.substring(0, before));
        String end = Visible.line(line.substring(before));
        String marked = Visible.line(line.substring(before, Math.min(line.length(), before + span.length())));
        out.append("    ").append(start).append(end).append('\n').append("    ");
        start.chars().forEach(c -> out.append(c == '\t' ? '\t' : ' '));
        int carets = Math.max(1, marked.length());
        out.append(style.of(role, "^".repeat(carets))).append('\n');
    }

    /** Makes characters visible that would control a terminal or reorder text, in the content and names of files. */
    private static final class Visible {

        private Visible() {}

        /** The text with each such character as an escape such as {@code \u001b}. */
        static String text(String text) {
            return spelled(text, false);
        }

        /** The same for a source line, where tabs stay. */
        static String line(String text) {
            return spelled(text, true);
        }

        private static String spelled(String text, boolean keepsTabs) {
            StringBuilder out = new StringBuilder();
            text.chars().forEach(c -> {
                if ((c == '\t' && keepsTabs) || !acts((char) c)) {
                    out.append((char) c);
                } else {
                    out.append("\\u%04x".formatted(c));
                }
            });
            return out.toString();
        }

        private static boolean acts(char c) {
            return switch (Character.getType(c)) {
                case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> true;
                default -> false;
            };
        }
    }
}
