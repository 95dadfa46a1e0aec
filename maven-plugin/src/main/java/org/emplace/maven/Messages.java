// SPDX-License-Identifier: Apache-2.0
package org.emplace.maven;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.diagnostic.Diagnostic.Severity;
import org.emplace.compiler.diagnostic.DiagnosticRenderer;
import org.emplace.compiler.source.SourceFile;
import org.emplace.compiler.source.Span;

/**
 * The compiler's messages in the form for users of Maven. A position is an absolute path, a line and a column, which terminals and development
 * environments turn into a link, whichever module of a build is the current one.
 */
record Messages(List<String> errors, List<String> warnings, List<String> notes) {

    static final Messages NONE = new Messages(List.of(), List.of(), List.of());

    Messages {
        errors = List.copyOf(errors);
        warnings = List.copyOf(warnings);
        notes = List.copyOf(notes);
    }

    static Messages of(List<Diagnostic> diagnostics, Collection<SourceFile> sources, Path baseDirectory) {
        DiagnosticRenderer renderer = new DiagnosticRenderer(sources.stream()
                .map(source -> new SourceFile(place(source.name(), baseDirectory), source.text()))
                .toList());
        List<Diagnostic> placed =
                diagnostics.stream().map(each -> placed(each, baseDirectory)).toList();
        return new Messages(
                rendered(placed, Severity.ERROR, renderer),
                rendered(placed, Severity.WARNING, renderer),
                rendered(placed, Severity.NOTE, renderer));
    }

    private static List<String> rendered(List<Diagnostic> diagnostics, Severity severity, DiagnosticRenderer renderer) {
        return diagnostics.stream()
                .filter(diagnostic -> diagnostic.severity() == severity)
                .map(renderer::render)
                .map(String::stripTrailing)
                .toList();
    }

    private static Diagnostic placed(Diagnostic diagnostic, Path baseDirectory) {
        return new Diagnostic(
                diagnostic.code(),
                diagnostic.severity(),
                placed(diagnostic.primary(), baseDirectory),
                diagnostic.message(),
                diagnostic.notes().stream()
                        .map(note -> new Diagnostic.Note(placed(note.span(), baseDirectory), note.message()))
                        .toList(),
                diagnostic.hint());
    }

    private static Span placed(Span span, Path baseDirectory) {
        return new Span(place(span.file(), baseDirectory), span.line(), span.column(), span.length());
    }

    /** The position of a diagnostic. Options, files in jars and names in line markers stay as they are. */
    private static String place(String name, Path baseDirectory) {
        if (name.startsWith("<")) {
            return name;
        }
        try {
            Path file = baseDirectory.toAbsolutePath().resolve(name).normalize();
            return Files.exists(file) ? file.toString() : name;
        } catch (InvalidPathException ofNoFile) {
            return name;
        }
    }
}
