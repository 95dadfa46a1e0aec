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

/** Makes sizes of expressions, as they mean to one procedure. */
final class SizeExpressions {

    private static final String ARGUMENTS = "args";

    private final Map<String, BigInteger> constants = new HashMap<>();
    private final Protocol protocol;
    private final Diagnostics diagnostics;

    SizeExpressions(Protocol protocol, Diagnostics diagnostics) {
        this.protocol = protocol;
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

    /** The size; unbounded if the expression is in error, which is then reported. */
    ChunkPlan.Size size(Clause.Expression expression, Program.Procedure procedure) {
        BigInteger plus = expression.plus().flatMap(this::number).orElse(BigInteger.ZERO);
        if (expression.base() instanceof Clause.Base.Literal literal) {
            return fixed(literal.number().number().add(plus), expression.span());
        }
        List<Name> path = ((Clause.Base.Path) expression.base()).names();
        Name first = path.get(0);
        if (first.text().equals(ARGUMENTS)) {
            return fits(plus, expression.span())
                    ? fromArgument(path.subList(1, path.size()), plus.longValue(), expression.span(), procedure)
                    : new ChunkPlan.Size.Unbounded();
        }
        if (path.size() > 1) {
            report("E313", first.span(), "a size is a number, a constant's name, or `args` with names of members");
            return new ChunkPlan.Size.Unbounded();
        }
        return number(new Value.Named(first.text(), first.span()))
                .map(number -> fixed(number.add(plus), expression.span()))
                .orElse(new ChunkPlan.Size.Unbounded());
    }

    private ChunkPlan.Size fixed(BigInteger bytes, Span span) {
        return fits(bytes, span) ? new ChunkPlan.Size.Fixed(bytes.longValue()) : new ChunkPlan.Size.Unbounded();
    }

    private boolean fits(BigInteger bytes, Span span) {
        boolean fits = bytes.signum() >= 0 && bytes.compareTo(BigInteger.valueOf(XdrType.UNBOUNDED)) <= 0;
        if (!fits) {
            report("E313", span, "the size " + bytes + " is not from 0 to " + XdrType.UNBOUNDED);
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

    private ChunkPlan.Size fromArgument(List<Name> members, long plus, Span span, Program.Procedure procedure) {
        if (procedure.arguments().size() != 1) {
            report("E314", span, "`" + procedure.name() + "` has not one argument, so that `args` means nothing");
            return new ChunkPlan.Size.Unbounded();
        }
        XdrType at = protocol.resolve(procedure.arguments().get(0));
        for (Name member : members) {
            List<TypeDefinition.Field> fields = at instanceof XdrType.Reference reference
                            && protocol.type(reference.name()) instanceof TypeDefinition.Structure structure
                    ? structure.fields()
                    : List.of();
            Optional<TypeDefinition.Field> field = fields.stream()
                    .filter(each -> each.name().equals(member.text()))
                    .findFirst();
            if (field.isEmpty()) {
                report(
                        "E314",
                        member.span(),
                        "there is no `" + member.text() + "` in every call of `" + procedure.name() + "`",
                        Spelling.hint(
                                member.text(),
                                fields.stream().map(TypeDefinition.Field::name).toList()));
                return new ChunkPlan.Size.Unbounded();
            }
            at = protocol.resolve(field.get().type());
        }
        if (at != XdrType.Primitive.INT && at != XdrType.Primitive.UNSIGNED_INT) {
            report(
                    "E314",
                    span,
                    "a size comes from an int or unsigned int, which this is not in `" + procedure.name() + "`");
            return new ChunkPlan.Size.Unbounded();
        }
        return new ChunkPlan.Size.FromArgument(members.stream().map(Name::text).toList(), plus);
    }

    private void report(String code, Span span, String message) {
        report(code, span, message, Optional.empty());
    }

    private void report(String code, Span span, String message, Optional<String> hint) {
        Diagnostic diagnostic = Diagnostic.error(code, span, message);
        diagnostics.report(hint.map(diagnostic::hint).orElse(diagnostic));
    }
}
