// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.syntax;

import java.util.List;
import java.util.stream.Collectors;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.tree.ParseTree;
import org.antlr.v4.runtime.tree.TerminalNode;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.diagnostic.Extension;
import org.jspecify.annotations.Nullable;

/** Reports what a file writes that the grammars of RFC 4506 and RFC 5531 do not have. */
final class ExtensionUses extends XdrBaseListener {

    private final Positions positions;
    private final Diagnostics diagnostics;

    ExtensionUses(Positions positions, Diagnostics diagnostics) {
        this.positions = positions;
        this.diagnostics = diagnostics;
    }

    @Override
    public void enterNamespace(XdrParser.NamespaceContext tree) {
        report(Extension.NAMESPACE, tree.getStart(), "namespaces are ignored: all names are one scope");
    }

    @Override
    public void enterPragma(XdrParser.PragmaContext tree) {
        report(Extension.PRAGMA, tree.getStart(), "pragmas of xdrgen are ignored");
    }

    @Override
    public void enterConstant(XdrParser.ConstantContext tree) {
        if (tree.STRING() != null) {
            report(Extension.STRING_CONSTANT, tree.STRING().getSymbol(), "a constant that is a string is ignored");
        }
    }

    @Override
    public void enterValue(XdrParser.ValueContext tree) {
        if (tree.CHARACTER() != null) {
            report(Extension.CHARACTER_CONSTANT, tree.getStart(), "a character is C's; taken as its number in ASCII");
        }
    }

    @Override
    public void enterType(XdrParser.TypeContext tree) {
        String text = SourceWords.of(tree);
        if (SyntaxBuilder.isZeroCopyOpaque(tree)) {
            report(Extension.ZERO_COPY_OPAQUE, tree.getStart(), "`zcopaque` is taken as opaque");
        } else if (tree.IDENTIFIER() != null && tree.getChildCount() > 1) {
            report(Extension.TAGGED_REFERENCE.at(
                    positions.span(tree), "a type is referred to by its name alone, without struct, union or enum"));
        } else if (tree.getText().matches("(unsigned)?(long|short|char)(int)?|unsigned|(unsigned)?hyperint")) {
            String standard = text.startsWith("unsigned") ? "unsigned int" : "int";
            report(Extension.C_INTEGER.at(
                    positions.span(tree),
                    "`" + text + "` is C's; taken as "
                            + (text.contains("hyper") ? text.replace(" int", "") : standard)));
        }
    }

    @Override
    public void enterEnumerator(XdrParser.EnumeratorContext tree) {
        if (tree.value() == null) {
            report(
                    Extension.COUNTED_ENUMERATOR,
                    tree.getStart(),
                    "an enumerator without a value is one more than that before it");
        }
    }

    @Override
    public void enterEnumBody(XdrParser.EnumBodyContext tree) {
        ParseTree beforeBrace = tree.getChild(tree.getChildCount() - 2);
        if (beforeBrace instanceof TerminalNode comma) {
            report(Extension.TRAILING_COMMA, comma.getSymbol(), "there is no enumerator behind this comma");
        }
    }

    @Override
    public void enterProcedure(XdrParser.ProcedureContext tree) {
        if (tree.argument().isEmpty()) {
            report(Extension.PARAMETER, tree.IDENTIFIER().getSymbol(), "a procedure without arguments takes `void`");
        }
    }

    @Override
    public void enterResult(XdrParser.ResultContext tree) {
        parameter(tree, tree.type());
    }

    @Override
    public void enterArgument(XdrParser.ArgumentContext tree) {
        parameter(tree, tree.type());
    }

    private void parameter(ParserRuleContext tree, XdrParser.@Nullable TypeContext type) {
        if (tree.getChildCount() > 1 || (type != null && type.getText().equals("string"))) {
            report(Extension.PARAMETER.at(
                    positions.span(tree),
                    "arguments and results are types by their names, and have none of their own"));
        }
    }

    @Override
    public void enterArm(XdrParser.ArmContext tree) {
        List<XdrParser.MemberContext> members = tree.member();
        if (members.size() > 1) {
            String label = SourceWords.of(tree.label(0)).replace(" :", ":");
            String name = SourceWords.armName(tree);
            String body = members.stream()
                    .map(member -> SourceWords.of(member.declaration()) + ";")
                    .collect(Collectors.joining(" "));
            diagnostics.report(Extension.SEVERAL_DECLARATIONS
                    .at(
                            positions.span(members.get(1)),
                            "an arm has one declaration; those of `" + label + "` are taken as a struct `" + name + "`")
                    .hint("in standard XDR: " + label + " struct { " + body + " } " + name + ";"));
        }
    }

    private void report(Extension extension, Token token, String message) {
        report(extension.at(positions.span(token), message));
    }

    private void report(Diagnostic diagnostic) {
        diagnostics.report(diagnostic);
    }
}
