// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.binding;

import java.math.BigInteger;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.diagnostic.Spelling;
import org.emplace.compiler.model.Program;
import org.emplace.compiler.model.Protocol;
import org.emplace.compiler.model.TypeDefinition;
import org.emplace.compiler.model.XdrType;
import org.emplace.compiler.source.Span;
import org.emplace.compiler.syntax.Clause;
import org.emplace.compiler.syntax.Name;
import org.emplace.compiler.syntax.Value;

/** Evaluates the expressions of sizes for one procedure. */
final class SizeExpressions {

    private final Map<String, BigInteger> constants = new HashMap<>();
    private final ArgumentPaths paths;
    private final Diagnostics diagnostics;

    SizeExpressions(Protocol protocol, Diagnostics diagnostics) {
        this.paths = new ArgumentPaths(protocol, diagnostics);
        this.diagnostics = diagnostics;
        protocol.constants().forEach(constant -> constants.put(constant.name(), constant.value()));
        protocol.types().values().forEach(type -> {
            if (type instanceof TypeDefinition.Enumeration enumeration) {
                enumeration
                        .enumerators()
                        .forEach(value -> constants.put(value.name(), BigInteger.valueOf(value.value())));
            }
        });
    }

    /** A size that is the same for all results of a procedure; unbounded if the expression has errors, which are reported. */
    ChunkPlan.Size size(Clause.Expression expression, Program.Procedure procedure) {
        return size(expression, procedure, false);
    }

    /** The size of an item; otherwise like {@link #size(Clause.Expression, Program.Procedure)}. */
    ChunkPlan.Size size(Clause.Size clause, Program.Procedure procedure, boolean isRepeated) {
        if (clause.condition().isEmpty()) {
            return size(clause.expression(), procedure, isRepeated);
        }
        Clause.Condition condition = clause.condition().get();
        if (!isRepeated) {
            report("E314", clause.span(), "`when` applies only to results in an array");
        } else if (size(clause.expression(), procedure, false) instanceof ChunkPlan.Size.Fixed fixed) {
            return number(condition.value())
                    .flatMap(value -> paths.selected(condition, value, procedure))
                    .map(selector -> perElement(selector, fixed.bytes()))
                    .orElse(new ChunkPlan.Size.Unbounded());
        } else {
            report("E313", clause.expression().span(), "a size with `when` must be a number or the name of a constant");
        }
        return new ChunkPlan.Size.Unbounded();
    }

    private static ChunkPlan.Size perElement(ArgumentPaths.Selector selector, long bytes) {
        return new ChunkPlan.Size.PerElement(
                selector.path().array().orElseThrow(), selector.path().rest(), selector.value(), bytes);
    }

    private ChunkPlan.Size size(Clause.Expression expression, Program.Procedure procedure, boolean isRepeated) {
        BigInteger plus = expression.plus().flatMap(this::number).orElse(BigInteger.ZERO);
        if (expression.base() instanceof Clause.Base.Literal literal) {
            return fixed(literal.number().number().add(plus), expression.span());
        } else if (expression.base() instanceof Clause.Base.Path path) {
            return size(path.steps(), plus, expression.span(), procedure, isRepeated);
        }
        return new ChunkPlan.Size.Unbounded();
    }

    private ChunkPlan.Size size(
            List<Clause.Step> steps, BigInteger plus, Span span, Program.Procedure procedure, boolean isRepeated) {
        Name first = steps.get(0).name();
        if (first.text().equals(ArgumentPaths.ARGUMENTS)) {
            return fits(plus, span)
                    ? fromArgument(steps, plus.longValue(), span, procedure, isRepeated)
                    : new ChunkPlan.Size.Unbounded();
        }
        if (steps.size() > 1 || steps.get(0).indexed()) {
            report(
                    "E313",
                    first.span(),
                    "a size must be a number, the name of a constant, or a path such as args.count");
            return new ChunkPlan.Size.Unbounded();
        }
        return number(new Value.Named(first.text(), first.span()))
                .map(number -> fixed(number.add(plus), span))
                .orElse(new ChunkPlan.Size.Unbounded());
    }

    private ChunkPlan.Size fromArgument(
            List<Clause.Step> steps, long plus, Span span, Program.Procedure procedure, boolean isRepeated) {
        if (!isRepeated && steps.stream().anyMatch(Clause.Step::indexed)) {
            report("E314", span, "`[i]` applies only to the size of a result in an array");
            return new ChunkPlan.Size.Unbounded();
        }
        Optional<ArgumentPaths.ResolvedPath> path = paths.toNumber(steps, span, procedure);
        if (path.isEmpty()) {
            return new ChunkPlan.Size.Unbounded();
        }
        return path.get().array().isPresent()
                ? new ChunkPlan.Size.FromElements(
                        path.get().array().get(), path.get().rest(), plus)
                : new ChunkPlan.Size.FromArgument(path.get().rest(), plus);
    }

    private ChunkPlan.Size fixed(BigInteger bytes, Span span) {
        return fits(bytes, span) ? new ChunkPlan.Size.Fixed(bytes.longValue()) : new ChunkPlan.Size.Unbounded();
    }

    private boolean fits(BigInteger bytes, Span span) {
        boolean fits = bytes.signum() >= 0 && bytes.compareTo(BigInteger.valueOf(XdrType.UNBOUNDED)) <= 0;
        if (!fits) {
            report("E313", span, "the size is " + bytes + ", but must be from 0 to " + XdrType.UNBOUNDED);
        }
        return fits;
    }

    private Optional<BigInteger> number(Value value) {
        if (value instanceof Value.Literal literal) {
            return Optional.of(literal.number());
        }
        Optional<BigInteger> number = Optional.ofNullable(constants.get(value.text()));
        if (number.isEmpty()) {
            report(
                    "E313",
                    value.span(),
                    "there is no constant or enumerator `" + value.text() + "`",
                    Spelling.hint(value.text(), constants.keySet()));
        }
        return number;
    }

    private void report(String code, Span span, String message) {
        report(code, span, message, Optional.empty());
    }

    private void report(String code, Span span, String message, Optional<String> hint) {
        diagnostics.report(Diagnostic.error(code, span, message).hint(hint));
    }
}
