// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.binding;

import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.model.Protocol;
import org.emplace.compiler.model.Target;
import org.emplace.compiler.model.TypeDefinition;
import org.emplace.compiler.model.XdrType;
import org.emplace.compiler.syntax.Clause;
import org.emplace.compiler.syntax.Name;

/**
 * E305: a clause that changes the form of a type applies to that type. E328: the values of an enum that names the bits of a set are numbers of bits.
 */
final class TypeClauseCheck implements BindingCheck {

    /** The highest number of a bit. A larger one would be a mistake, and its set would take kilobytes. */
    private static final int HIGHEST_BIT = 65_535;

    @Override
    public void check(BindingFacts facts, Diagnostics diagnostics) {
        facts.clauses().byTarget().forEach((target, clauses) -> {
            if (target instanceof Target.Type type) {
                TypeDefinition definition = facts.protocol().type(type.name());
                clauses.forEach(clause -> check(facts.protocol(), definition, clause, diagnostics));
            }
        });
    }

    private static void check(Protocol protocol, TypeDefinition definition, Clause clause, Diagnostics diagnostics) {
        if (!canHave(protocol, definition, clause)) {
            diagnostics.report(Diagnostic.error(
                            "E305",
                            clause.span(),
                            "`" + wording(clause) + "` does not apply to `" + definition.name() + "`")
                    .hint("it applies to " + home(clause)));
        } else if (clause instanceof Clause.Bits bits) {
            bits.names().ifPresent(names -> names(protocol, names, diagnostics));
        }
    }

    private static boolean canHave(Protocol protocol, TypeDefinition definition, Clause clause) {
        if (clause instanceof Clause.Open) {
            return definition instanceof TypeDefinition.Enumeration;
        } else if (isText(clause)) {
            return definition instanceof TypeDefinition.Typedef typedef
                    && (protocol.resolve(typedef.target()) instanceof XdrType.VariableOpaque
                            || protocol.resolve(typedef.target()) instanceof XdrType.FixedOpaque);
        } else if (clause instanceof Clause.AsValue) {
            return definition instanceof TypeDefinition.Typedef typedef
                    && !(protocol.resolve(typedef.target()) instanceof XdrType.Reference)
                    && !(protocol.resolve(typedef.target()) instanceof XdrType.Optional);
        } else if (clause instanceof Clause.Bits) {
            return definition instanceof TypeDefinition.Typedef typedef && isWords(protocol, typedef.target());
        }
        return true;
    }

    private static boolean isWords(Protocol protocol, XdrType type) {
        return protocol.resolve(type) instanceof XdrType.Array array
                && protocol.resolve(array.element()) == XdrType.Primitive.UNSIGNED_INT;
    }

    private static void names(Protocol protocol, Name name, Diagnostics diagnostics) {
        if (!(protocol.types().get(name.text()) instanceof TypeDefinition.Enumeration enumeration)) {
            diagnostics.report(Diagnostic.error("E328", name.span(), "there is no enum `" + name.text() + "`"));
            return;
        }
        enumeration.enumerators().stream()
                .filter(each -> each.value() < 0 || each.value() > HIGHEST_BIT)
                .findFirst()
                .ifPresent(each -> diagnostics.report(Diagnostic.error(
                        "E328",
                        name.span(),
                        "`" + each.name() + "` of `" + name.text() + "` is " + each.value()
                                + ", which is not a bit number from 0 to " + HIGHEST_BIT)));
    }

    private static String wording(Clause clause) {
        return isText(clause) ? "value text" : clause.keyword();
    }

    private static boolean isText(Clause clause) {
        return clause instanceof Clause.AsValue value && value.isText();
    }

    /** The types that a clause applies to, for messages. */
    static String home(Clause clause) {
        if (clause instanceof Clause.Open) {
            return "an enum";
        } else if (isText(clause)) {
            return "a typedef of opaque";
        }
        return clause instanceof Clause.Bits
                ? "a typedef of an array of unsigned int"
                : "a typedef of bytes, a number or an array";
    }
}
