// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.syntax;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.ListTokenSource;
import org.antlr.v4.runtime.Token;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.source.SourceFile;
import org.emplace.compiler.source.Span;

/** Reads binding clauses from a comment of an XDR file, or from a sidecar. */
public final class UlbReader {

    private static final String OPENING = "/*@ddp";
    private static final String CLOSING = "*/";

    /** The number of errors in one comment or file after which the rest is not reported. */
    private static final int MOST_ERRORS = 100;

    private final Positions positions;
    private final Diagnostics diagnostics;
    private final ClauseBuilder clauses;

    private UlbReader(Positions positions, Diagnostics diagnostics) {
        this.positions = positions;
        this.diagnostics = diagnostics;
        this.clauses = new ClauseBuilder(positions, new Numbers(positions, diagnostics));
    }

    /** Reads a sidecar. Reports and leaves out entries and clauses with errors. */
    public static Sidecar read(SourceFile source, Diagnostics diagnostics) {
        UlbReader reader = new UlbReader(Positions.of(source), diagnostics);
        ClausePieces pieces = ClausePieces.of(source.text());
        List<Sidecar.Entry> entries = new ArrayList<>();
        int before = diagnostics.errorCount();
        while (!pieces.atEnd() && diagnostics.errorCount() - before < MOST_ERRORS) {
            reader.entry(pieces).ifPresent(entries::add);
        }
        return new Sidecar(source.name(), entries);
    }

    /** Reads the clauses of a {@code /*@ddp} comment. Reports and leaves out clauses with errors. */
    static List<Clause> read(Token comment, Positions places, Diagnostics diagnostics) {
        String text = comment.getText();
        String inner =
                " ".repeat(OPENING.length()) + text.substring(OPENING.length(), text.length() - CLOSING.length());
        if (inner.contains("/*")) {
            long lines = text.lines().count() - 1;
            diagnostics.report(Diagnostic.error(
                    "E303",
                    places.span(comment),
                    "this clause's comment ends only in line " + (comment.getLine() + lines)
                            + ", because its `*/` is missing"));
            return List.of();
        }
        return new UlbReader(places.within(comment), diagnostics)
                .clauses(ClausePieces.of(inner).rest(), places.span(comment));
    }

    /** Reads an entry. If its head has an error, the entry is left out, but its clauses are checked. */
    private Optional<Sidecar.Entry> entry(ClausePieces pieces) {
        List<Token> head = pieces.head();
        UlbParser parser = parser(head);
        UlbParser.HeadContext tree = parser.head();
        boolean isGood = parser.getNumberOfSyntaxErrors() == 0;
        if (pieces.lastEnd().getType() != UlbLexer.OPENING_BRACE) {
            return Optional.empty();
        }
        List<List<Token>> braced = pieces.braced();
        Token end = pieces.lastEnd();
        if (end.getType() == Token.EOF) {
            diagnostics.report(
                    Diagnostic.error("E303", positions.span(end), "expected `}`, found " + TokenWording.found(end)));
        }
        if (!isGood) {
            braced.stream().limit(MOST_ERRORS).forEach(this::clause);
            return Optional.empty();
        }
        return Optional.of(
                new Sidecar.Entry(kind(tree.kind), path(tree.path()), clauses(braced, positions.span(head.get(0)))));
    }

    private static Sidecar.Kind kind(Token word) {
        return switch (word.getType()) {
            case UlbParser.ITEM -> Sidecar.Kind.ITEM;
            case UlbParser.PROCEDURE -> Sidecar.Kind.PROCEDURE;
            case UlbParser.VERSION -> Sidecar.Kind.VERSION;
            case UlbParser.TYPE -> Sidecar.Kind.TYPE;
            default -> Sidecar.Kind.CONSTANT;
        };
    }

    private List<Clause> clauses(List<List<Token>> pieces, Span holder) {
        if (pieces.isEmpty()) {
            diagnostics.report(Diagnostic.error("E307", holder, "this contains no binding clause")
                    .hint("add a clause, such as eligible, or remove the comment or entry"));
        }
        int before = diagnostics.errorCount();
        return pieces.stream()
                .takeWhile(piece -> diagnostics.errorCount() - before < MOST_ERRORS)
                .flatMap(piece -> clause(piece).stream())
                .toList();
    }

    private Optional<Clause> clause(List<Token> piece) {
        int errors = diagnostics.errorCount();
        UlbParser parser = parser(piece);
        UlbParser.SingleContext tree = parser.single();
        if (parser.getNumberOfSyntaxErrors() > 0) {
            return Optional.empty();
        }
        Clause clause = tree.clause().accept(clauses);
        return diagnostics.errorCount() == errors ? Optional.of(clause) : Optional.empty();
    }

    private UlbParser parser(List<Token> tokens) {
        UlbParser parser = new UlbParser(new CommonTokenStream(new ListTokenSource(tokens)));
        parser.removeErrorListeners();
        parser.addErrorListener(new ClauseErrors(positions, diagnostics));
        return parser;
    }

    private List<Name> path(UlbParser.PathContext tree) {
        return tree.word().stream().map(clauses::name).toList();
    }
}
