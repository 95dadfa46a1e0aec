// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.syntax;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.source.Span;

/** E101: a union has cases, followed by at most one arm for all other values, which no case shares (RFC 4506 section 6.3). */
final class DefaultArms extends XdrBaseListener {

    private final Positions positions;
    private final Diagnostics diagnostics;

    DefaultArms(Positions positions, Diagnostics diagnostics) {
        this.positions = positions;
        this.diagnostics = diagnostics;
    }

    /** Whether an arm is the one for all other values. */
    static boolean isDefault(XdrParser.ArmContext arm) {
        return arm.label().stream().anyMatch(DefaultArms::isDefault);
    }

    private static boolean isDefault(XdrParser.LabelContext label) {
        return label instanceof XdrParser.DefaultLabelContext;
    }

    @Override
    public void enterUnionBody(XdrParser.UnionBodyContext tree) {
        List<XdrParser.ArmContext> arms = tree.arm();
        List<XdrParser.ArmContext> defaults =
                arms.stream().filter(DefaultArms::isDefault).toList();
        if (defaults.isEmpty()) {
            return;
        }
        XdrParser.ArmContext arm = defaults.get(0);
        if (arm.label().size() > 1) {
            refuse(
                    place(arm),
                    "`default` stands for all values without a case, so its arm cannot have another label",
                    "remove the other labels: their values select the default too");
        } else if (arms.size() == 1) {
            refuse(
                    place(arm),
                    "expected a `case` before `default`",
                    "write the discriminant and the arm as a struct, which is encoded alike: struct { "
                            + asStruct(tree, arm) + " }");
        } else if (defaults.size() > 1) {
            refuse(place(defaults.get(1)), "a union has at most one `default`", "make one of them a case");
        } else if (arm != arms.get(arms.size() - 1)) {
            refuse(place(arm), "`default` must come after all cases", "move it to the end of the union");
        }
    }

    /** The members of a struct that is encoded as a union whose only arm is for all values. */
    private static String asStruct(XdrParser.UnionBodyContext union, XdrParser.ArmContext arm) {
        return Stream.concat(
                        Stream.of(union.declaration()), arm.member().stream().map(XdrParser.MemberContext::declaration))
                .filter(declaration -> declaration instanceof XdrParser.TypedDeclarationContext)
                .map(declaration -> SourceWords.of(declaration) + ";")
                .collect(Collectors.joining(" "));
    }

    private Span place(XdrParser.ArmContext arm) {
        return arm.label().stream()
                .filter(DefaultArms::isDefault)
                .findFirst()
                .map(label -> positions.span(label.getStart()))
                .orElseThrow();
    }

    private void refuse(Span span, String message, String hint) {
        diagnostics.report(Diagnostic.error("E101", span, message).hint(hint));
    }
}
