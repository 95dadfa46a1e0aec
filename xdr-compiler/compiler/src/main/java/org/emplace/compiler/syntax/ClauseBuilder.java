// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.syntax;

import java.util.List;
import java.util.Optional;
import org.antlr.v4.runtime.Token;

/** Builds clauses from parse trees that have no errors. */
final class ClauseBuilder extends UlbBaseVisitor<Clause> {

    private final Positions positions;
    private final Numbers numbers;

    ClauseBuilder(Positions positions, Numbers numbers) {
        this.positions = positions;
        this.numbers = numbers;
    }

    @Override
    public Clause visitEligible(UlbParser.EligibleContext tree) {
        int only = tree.only == null ? Token.INVALID_TYPE : tree.only.getType();
        return new Clause.Eligible(only != UlbParser.RESULT, only != UlbParser.ARGUMENT, written(tree));
    }

    @Override
    public Clause visitSize(UlbParser.SizeContext tree) {
        Optional<Clause.Condition> condition = Optional.ofNullable(tree.condition())
                .map(each -> new Clause.Condition(steps(each.sizePath()), value(each.value())));
        return new Clause.Size(expression(tree.expression()), condition, written(tree));
    }

    @Override
    public Clause visitReplySize(UlbParser.ReplySizeContext tree) {
        return new Clause.ReplySize(expression(tree.expression()), written(tree));
    }

    @Override
    public Clause visitReadChunks(UlbParser.ReadChunksContext tree) {
        return numeric(Clause.Numeric.Kind.READ_CHUNKS, tree.NUMBER().getSymbol(), tree);
    }

    @Override
    public Clause visitWriteChunks(UlbParser.WriteChunksContext tree) {
        return numeric(Clause.Numeric.Kind.WRITE_CHUNKS, tree.NUMBER().getSymbol(), tree);
    }

    @Override
    public Clause visitOperations(UlbParser.OperationsContext tree) {
        return new Clause.Operations(
                steps(tree.sizePath(0)), steps(tree.sizePath(1)), name(tree.word()), written(tree));
    }

    @Override
    public Clause visitIdempotent(UlbParser.IdempotentContext tree) {
        return new Clause.Idempotent(written(tree));
    }

    @Override
    public Clause visitPort(UlbParser.PortContext tree) {
        return tree.at.getType() == UlbParser.DYNAMIC
                ? new Clause.DynamicPort(written(tree))
                : numeric(Clause.Numeric.Kind.PORT, tree.at, tree);
    }

    @Override
    public Clause visitNetid(UlbParser.NetidContext tree) {
        return new Clause.Netids(tree.word().stream().map(this::name).toList(), written(tree));
    }

    @Override
    public Clause visitInlineThreshold(UlbParser.InlineThresholdContext tree) {
        return numeric(Clause.Numeric.Kind.INLINE_THRESHOLD, tree.NUMBER().getSymbol(), tree);
    }

    @Override
    public Clause visitMaxMessage(UlbParser.MaxMessageContext tree) {
        return numeric(Clause.Numeric.Kind.MAX_MESSAGE, tree.NUMBER().getSymbol(), tree);
    }

    @Override
    public Clause visitViolation(UlbParser.ViolationContext tree) {
        return new Clause.Violation(tree.answer.getType() == UlbParser.ERR_CHUNK, written(tree));
    }

    @Override
    public Clause visitBackward(UlbParser.BackwardContext tree) {
        return new Clause.Backward(written(tree));
    }

    @Override
    public Clause visitJavaName(UlbParser.JavaNameContext tree) {
        return new Clause.JavaName(name(tree.word()), written(tree));
    }

    @Override
    public Clause visitPrefix(UlbParser.PrefixContext tree) {
        return new Clause.Prefix(name(tree.word()), written(tree));
    }

    @Override
    public Clause visitOpen(UlbParser.OpenContext tree) {
        return new Clause.Open(written(tree));
    }

    @Override
    public Clause visitAsValue(UlbParser.AsValueContext tree) {
        return new Clause.AsValue(tree.text != null, written(tree));
    }

    @Override
    public Clause visitBits(UlbParser.BitsContext tree) {
        return new Clause.Bits(Optional.ofNullable(tree.word()).map(this::name), written(tree));
    }

    private Clause numeric(Clause.Numeric.Kind kind, Token number, UlbParser.ClauseContext tree) {
        return new Clause.Numeric(kind, numbers.read(number), written(tree));
    }

    private Clause.Written written(UlbParser.ClauseContext tree) {
        return new Clause.Written(tree.getStart().getText(), positions.span(tree));
    }

    private Clause.Expression expression(UlbParser.ExpressionContext tree) {
        Clause.Base base = new Clause.Base.Unbounded();
        Optional<Value> plus = Optional.empty();
        if (tree instanceof UlbParser.LiteralSizeContext literal) {
            base = new Clause.Base.Literal(numbers.read(literal.NUMBER().getSymbol()));
            plus = Optional.ofNullable(literal.value()).map(this::value);
        } else if (tree instanceof UlbParser.SizeByPathContext path) {
            base = new Clause.Base.Path(steps(path.sizePath()));
            plus = Optional.ofNullable(path.value()).map(this::value);
        }
        return new Clause.Expression(base, plus, positions.span(tree));
    }

    private Value value(UlbParser.ValueContext tree) {
        Token token = tree.getStart();
        return tree instanceof UlbParser.NumberContext
                ? numbers.read(token)
                : new Value.Named(token.getText(), positions.span(token));
    }

    private List<Clause.Step> steps(UlbParser.SizePathContext tree) {
        return tree.step().stream()
                .map(step -> new Clause.Step(name(step.word()), step.INDEX() != null))
                .toList();
    }

    Name name(UlbParser.WordContext word) {
        return new Name(word.getStart().getText(), positions.span(word));
    }
}
