// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.preprocess;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.source.FileFailure;
import org.emplace.compiler.source.SourceFile;
import org.emplace.compiler.source.Span;

/** Preprocesses a file with all files that it includes. */
public final class Preprocessor {

    private static final int DEEPEST = 64;
    private static final int MOST_CHARACTERS = 4_000_000;

    private final Includes includes;
    private final Macros macros;
    private final LinesForC.Collector linesForC = new LinesForC.Collector();
    private final Diagnostics diagnostics;
    private final Deque<String> open = new ArrayDeque<>();
    private final List<PreprocessedText.Line> lines = new ArrayList<>();
    private int characters;
    private boolean stopped;

    private Preprocessor(Includes includes, Macros macros, Diagnostics diagnostics) {
        this.includes = includes;
        this.macros = macros;
        this.diagnostics = diagnostics;
    }

    /** The text of a file after preprocessing; empty if errors prevent that, which are reported. */
    public static Optional<PreprocessedText> run(
            SourceFile source, Definitions definitions, Includes includes, Diagnostics diagnostics) {
        int errors = diagnostics.errorCount();
        Preprocessor preprocessor = new Preprocessor(includes, definitions.macros(diagnostics), diagnostics);
        preprocessor.file(source);
        return diagnostics.errorCount() > errors
                ? Optional.empty()
                : Optional.of(new PreprocessedText(source.name(), preprocessor.lines, preprocessor.linesForC.lines()));
    }

    Macros macros() {
        return macros;
    }

    LinesForC.Collector linesForC() {
        return linesForC;
    }

    /** Whether an error makes it pointless to continue. */
    boolean isStopped() {
        return stopped;
    }

    /** Appends a line to the result. */
    void append(PreprocessedText.Line line) {
        lines.add(line);
        characters += line.text().length() + 1;
        if (characters > MOST_CHARACTERS && !stopped) {
            stop(Diagnostic.error(
                    "E118",
                    line.place().span(line.number(), 1, 1),
                    "the file has more than " + MOST_CHARACTERS
                            + " characters, with included files and expanded macros"));
        }
    }

    /** Replaces a directive by the content of a file. */
    void include(String written, boolean isQuoted, String includer, Span span) {
        try {
            Optional<SourceFile> file = includes.find(written, isQuoted, includer);
            if (file.isEmpty()) {
                diagnostics.report(
                        Diagnostic.error("E112", span, "there is no file `" + written + "`")
                                .hint(
                                        "add its directory by -I DIR, in Maven by <includeDirectories>; if the line is only for C, begin it with `%`"));
            } else if (open.size() >= DEEPEST) {
                tooDeep(file.get(), span);
            } else {
                file(file.get());
            }
        } catch (IOException e) {
            diagnostics.report(
                    Diagnostic.error("E112", span, "`" + written + "` cannot be read: " + FileFailure.reason(e)));
        }
    }

    private void tooDeep(SourceFile file, Span span) {
        boolean isOpen = open.contains(file.name());
        Diagnostic error = Diagnostic.error(
                "E113",
                span,
                isOpen
                        ? "`" + file.name() + "` includes itself"
                        : "inclusions nest deeper than " + DEEPEST + " levels");
        stop(isOpen ? error.hint("enclose the file's content in #ifndef NAME, #define NAME and #endif") : error);
    }

    private void file(SourceFile file) {
        open.push(file.name());
        new FilePass(file, this, diagnostics).run();
        open.pop();
    }

    private void stop(Diagnostic error) {
        stopped = true;
        diagnostics.report(error);
    }
}
