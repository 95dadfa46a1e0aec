// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.preprocess;

import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.emplace.compiler.preprocess.Macros.Macro;
import org.emplace.compiler.source.LocatedText;
import org.emplace.compiler.source.Span;


/**
 * The text of a file after preprocessing. Each of its lines comes from one line of the file or of an included file, so that comments stay beside what
 * they document.
 */
public final class PreprocessedText implements LocatedText {

    /** A line, the file that it comes from, and its number there. It has no pieces if preprocessing did not change it. */
    record Line(String text, PresumedPlace place, int number, List<Piece> pieces) {}

    /**
     * A piece of a line, which ends where the next one begins. All characters of a macro's replacement are at the place of its use.
     *
     * @param start its first character in the line, from 0
     * @param original the lexeme in the file
     * @param macro whose replacement it is, if it is one
     */
    record Piece(int start, Lexeme original, Optional<Macro> macro) {}

    private final String name;
    private final List<Line> lines;
    private final LinesForC linesForC;

    PreprocessedText(String name, List<Line> lines, LinesForC linesForC) {
        this.name = name;
        this.lines = List.copyOf(lines);
        this.linesForC = linesForC;
    }

    /**
     * A text that has the same meaning everywhere: it depends on no macros, and on no files but those that are left out.
     *
     * @param isIn whether to include the content of a file
     */
    public String standingAlone(Predicate<String> isIn) {
        Stream<String> numbers = linesForC.constants().entrySet().stream()
                .map(each -> "%#define " + each.getKey() + " " + each.getValue().number());
        Stream<String> types = linesForC.types().entrySet().stream()
                .map(each -> "%#define " + each.getKey() + " " + each.getValue().type());
        Stream<String> text =
                lines.stream().filter(line -> isIn.test(line.place().file())).map(Line::text);
        return Stream.concat(Stream.concat(numbers.sorted(), types.sorted()), text)
                .collect(Collectors.joining("\n", "", "\n"));
    }

    /** What lines for C define. */
    public LinesForC linesForC() {
        return linesForC;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String text() {
        return lines.stream().map(Line::text).collect(Collectors.joining("\n"));
    }

    @Override
    public Span span(int line, int column, int length) {
        Line source = lines.get(Math.min(line, lines.size()) - 1);
        if (source.pieces().isEmpty()) {
            return source.place().span(source.number(), column, length);
        }
        int first = column(source, column - 1, false);
        int end = column(source, column - 1 + Math.max(0, length - 1), true);
        return source.place().span(source.number(), first, Math.max(1, end - first));
    }

    @Override
    public Optional<Replacement> replacement(int line, int column) {
        Line source = lines.get(Math.min(line, lines.size()) - 1);
        return source.pieces().isEmpty()
                ? Optional.empty()
                : piece(source, column - 1)
                        .macro()
                        .map(macro -> new Replacement(macro.name(), macro.text(), macro.defined()));
    }

    private static Piece piece(Line line, int index) {
        Piece piece = line.pieces().get(0);
        for (Piece next : line.pieces()) {
            piece = next.start() <= index ? next : piece;
        }
        return piece;
    }

    /** The original column of a character, or the column after it. */
    private static int column(Line line, int index, boolean behind) {
        Piece piece = piece(line, index);
        int column = piece.original().column();
        if (piece.macro().isPresent()) {
            return behind ? column + piece.original().text().length() : column;
        }
        return column + index - piece.start() + (behind ? 1 : 0);
    }

    /**
     * The file and line numbers to report from a line on: the real ones, or those of a line marker.
     *
     * @param file the name to report
     * @param shift added to the number of a line
     */
    record PresumedPlace(String file, int shift) {

        Span span(Lexeme lexeme) {
            return span(lexeme.line(), lexeme.column(), lexeme.text().length());
        }

        Span span(int line, int column, int length) {
            return new Span(file, line + shift, column, length);
        }
    }
}
