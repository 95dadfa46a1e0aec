// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.syntax;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.ListTokenSource;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.Token;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.source.SourceFile;
import org.emplace.compiler.source.Span;

/** Reads binding clauses: from a comment of an XDR file, or from a sidecar. */
public final class UlbReader {

    private static final String OPENING = "/*@ddp";
    private static final String CLOSING = "*/";

    /** Errors of one comment or one file behind which nobody reads on. */
    private static final int MOST_ERRORS = 100;

    private final Positions positions;
    private final Diagnostics diagnostics;
    private final Numbers numbers;

    private UlbReader(Positions positions, Diagnostics diagnostics) {
        this.positions = positions;
        this.diagnostics = diagnostics;
        this.numbers = new Numbers(positions, diagnostics);
    }

    /** Reads a sidecar; what is in error there is reported and left out. */
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

    /** Reads the clauses of a {@code /*@ddp} comment; what is in error there is reported and left out. */
    static List<Clause> read(Token comment, Positions places, Diagnostics diagnostics) {
        String text = comment.getText();
        String inner =
                " ".repeat(OPENING.length()) + text.substring(OPENING.length(), text.length() - CLOSING.length());
        return new UlbReader(places.within(comment), diagnostics)
                .clauses(ClausePieces.of(inner).rest(), places.span(comment));
    }

    /** An entry whose head is in error speaks of nothing, but its clauses are read all the same. */
    private Optional<Sidecar.Entry> entry(ClausePieces pieces) {
        List<Token> head = pieces.head();
        UlbParser parser = parser(head);
        UlbParser.HeadContext tree = parser.head();
        boolean isGood = parser.getNumberOfSyntaxErrors() == 0;
        if (!pieces.lastEnd().getText().equals("{")) {
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
        return Optional.of(new Sidecar.Entry(
                Sidecar.Kind.valueOf(tree.getStart().getText().toUpperCase(Locale.ROOT)),
                path(tree.path()),
                clauses(braced, positions.span(head.get(0)))));
    }

    private List<Clause> clauses(List<List<Token>> pieces, Span holder) {
        if (pieces.isEmpty()) {
            diagnostics.report(Diagnostic.error("E307", holder, "there is no clause in this")
                    .hint("say what it is for, such as eligible, or take it away"));
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
        Clause clause = clause(tree.clause());
        return diagnostics.errorCount() == errors ? Optional.of(clause) : Optional.empty();
    }

    private UlbParser parser(List<Token> tokens) {
        UlbParser parser = new UlbParser(new CommonTokenStream(new ListTokenSource(tokens)));
        parser.removeErrorListeners();
        parser.addErrorListener(new ClauseErrors(positions, diagnostics));
        return parser;
    }

    private Clause clause(UlbParser.ClauseContext tree) {
        if (tree instanceof UlbParser.EligibleContext eligible) {
            String direction = eligible.getStop().getText();
            return new Clause.Eligible(
                    !direction.equals("result"), !direction.equals("argument"), positions.span(tree));
        } else if (tree instanceof UlbParser.SizeContext size) {
            return new Clause.Size(
                    expression(size.expression()),
                    Optional.ofNullable(size.condition()).map(this::condition),
                    positions.span(tree));
        } else if (tree instanceof UlbParser.WriteListContext) {
            return new Clause.WriteListInOrder(positions.span(tree));
        } else if (tree instanceof UlbParser.OperationsContext operations) {
            return new Clause.Operations(
                    steps(operations.sizePath(0)),
                    steps(operations.sizePath(1)),
                    name(operations.word()),
                    positions.span(tree));
        } else if (tree instanceof UlbParser.PortContext port && port.NUMBER() == null) {
            return new Clause.DynamicPort(positions.span(tree));
        } else if (tree instanceof UlbParser.ReplySizeContext size) {
            return new Clause.ReplySize(expression(size.expression()), positions.span(tree));
        } else if (tree instanceof UlbParser.NetidContext netid) {
            return new Clause.Netids(netid.word().stream().map(this::name).toList(), positions.span(tree));
        } else if (tree instanceof UlbParser.ViolationContext violation) {
            return new Clause.Violation(violation.getStop().getText().equals("err-chunk"), positions.span(tree));
        } else if (tree instanceof UlbParser.BackwardContext) {
            return new Clause.Backward(positions.span(tree));
        } else if (tree instanceof UlbParser.JavaNameContext name) {
            return new Clause.JavaName(name(name.word()), positions.span(tree));
        } else if (tree instanceof UlbParser.PrefixContext prefix) {
            return new Clause.Prefix(name(prefix.word()), positions.span(tree));
        } else if (tree instanceof UlbParser.OpenContext) {
            return new Clause.Open(positions.span(tree));
        } else if (tree instanceof UlbParser.AsValueContext) {
            return new Clause.AsValue(positions.span(tree));
        } else if (tree instanceof UlbParser.BitsContext bits) {
            return new Clause.Bits(Optional.ofNullable(bits.word()).map(this::name), positions.span(tree));
        } else {
            return numeric(tree);
        }
    }

    private Clause numeric(UlbParser.ClauseContext tree) {
        String keyword = tree.getStart().getText();
        Clause.Numeric.Kind kind =
                Clause.Numeric.Kind.valueOf(keyword.replace('-', '_').toUpperCase(Locale.ROOT));
        return new Clause.Numeric(kind, numbers.read(tree.getStop()), positions.span(tree));
    }

    private Clause.Expression expression(UlbParser.ExpressionContext tree) {
        boolean startsWithNumber = tree.getStart().getType() == UlbLexer.NUMBER;
        Clause.Base base = new Clause.Base.Unbounded();
        if (startsWithNumber) {
            base = new Clause.Base.Literal(numbers.read(tree.getStart()));
        } else if (tree.sizePath() != null) {
            base = new Clause.Base.Path(steps(tree.sizePath()));
        }
        return new Clause.Expression(base, plus(tree, startsWithNumber ? 1 : 0), positions.span(tree));
    }

    private Clause.Condition condition(UlbParser.ConditionContext tree) {
        Value value = tree.NUMBER() == null
                ? new Value.Named(tree.word().getText(), positions.span(tree.word()))
                : numbers.read(tree.NUMBER().getSymbol());
        return new Clause.Condition(steps(tree.sizePath()), value);
    }

    private List<Clause.Step> steps(UlbParser.SizePathContext tree) {
        return tree.step().stream()
                .map(step -> new Clause.Step(name(step.word()), step.INDEX() != null))
                .toList();
    }

    private Optional<Value> plus(UlbParser.ExpressionContext tree, int numberIndex) {
        if (tree.word() != null) {
            return Optional.of(new Value.Named(tree.word().getText(), positions.span(tree.word())));
        }
        return Optional.ofNullable(tree.NUMBER(numberIndex)).map(node -> numbers.read(node.getSymbol()));
    }

    private List<Name> path(UlbParser.PathContext tree) {
        return tree.word().stream().map(this::name).toList();
    }

    private Name name(ParserRuleContext word) {
        return new Name(word.getText(), positions.span(word));
    }
}
