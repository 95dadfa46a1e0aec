// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.syntax;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.Token;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.diagnostic.Extension;
import org.jspecify.annotations.Nullable;

/** Reports constructs that are not in the grammars of RFC 4506 and RFC 5531. */
final class ExtensionUses extends XdrBaseListener {

    /** Types of one byte in C. */
    private static final Set<String> OF_ONE_BYTE = Set.of("u_char", "int8_t", "uint8_t");

    private final Positions positions;
    private final Diagnostics diagnostics;

    ExtensionUses(Positions positions, Diagnostics diagnostics) {
        this.positions = positions;
        this.diagnostics = diagnostics;
    }

    @Override
    public void enterNamespace(XdrParser.NamespaceContext tree) {
        report(Extension.NAMESPACE, tree.getStart(), "namespaces are ignored: all names share one scope");
    }

    @Override
    public void enterPragma(XdrParser.PragmaContext tree) {
        report(Extension.PRAGMA, tree.getStart(), "pragmas are for xdrgen, and are ignored");
    }

    @Override
    public void enterStringConstant(XdrParser.StringConstantContext tree) {
        report(Extension.STRING_CONSTANT, tree.getStart(), "string constants are ignored");
    }

    @Override
    public void enterCharacter(XdrParser.CharacterContext tree) {
        report(Extension.CHARACTER_CONSTANT, tree.getStart(), "a character constant is treated as its ASCII code");
    }

    @Override
    public void enterReference(XdrParser.ReferenceContext tree) {
        if (tree.tag != null) {
            report(Extension.TAGGED_REFERENCE.at(
                    positions.span(tree), "a type is referred to by its name alone, without struct, union or enum"));
        } else if (SyntaxBuilder.isZeroCopyOpaque(tree)) {
            report(Extension.ZERO_COPY_OPAQUE, tree.getStart(), "`zcopaque` is treated as opaque");
        }
    }

    @Override
    public void enterQualified(XdrParser.QualifiedContext tree) {
        if (tree.getChildCount() > 1) {
            report(Extension.QUALIFIED_NAME.at(
                    positions.span(tree),
                    "`" + SourceWords.of(tree) + "` is treated as `" + tree.name.getText()
                            + "`: all names share one scope"));
        }
    }

    @Override
    public void enterUnsignedInteger(XdrParser.UnsignedIntegerContext tree) {
        integer(tree, tree.integer(), "unsigned ");
    }

    @Override
    public void enterSignedInteger(XdrParser.SignedIntegerContext tree) {
        integer(tree, tree.integer(), "");
    }

    private void integer(XdrParser.TypeContext tree, XdrParser.@Nullable IntegerContext width, String sign) {
        boolean isStandard = width instanceof XdrParser.PlainIntegerContext
                || (width instanceof XdrParser.HyperContext hyper && hyper.ofC == null);
        if (!isStandard) {
            String standard = width instanceof XdrParser.HyperContext ? "hyper" : "int";
            if (width != null && width.getStart().getType() == XdrParser.LONG) {
                report(Extension.MISLEADING_C_TYPE
                        .at(
                                positions.span(tree),
                                "`" + SourceWords.of(tree) + "` has 32 bits, as in rpcgen; treated as " + sign + "int")
                        .hint("write " + sign + "int, or for 64 bits " + sign + "hyper if the peers agree"));
                return;
            }
            report(Extension.C_INTEGER.at(
                    positions.span(tree), "`" + SourceWords.of(tree) + "` is a C type; treated as " + sign + standard));
        }
    }

    @Override
    public void enterTypedDeclaration(XdrParser.TypedDeclarationContext tree) {
        if (tree.pointer == null || tree.bounds() == null) { // Both are an error, with advice of its own.
            characters(
                    tree,
                    tree.type(),
                    tree.pointer,
                    tree.bounds(),
                    tree.IDENTIFIER().getText());
        }
    }

    /** Warns of characters in C that look like text or bytes, but are numbers of four bytes each. */
    private void characters(
            ParserRuleContext tree,
            XdrParser.TypeContext type,
            @Nullable Token pointer,
            XdrParser.@Nullable BoundsContext bounds,
            String name) {
        boolean isCharacter = type.getStop().getType() == XdrParser.CHAR
                || (type instanceof XdrParser.ReferenceContext && OF_ONE_BYTE.contains(type.getText()));
        if (isCharacter && (pointer != null || bounds != null)) {
            String length = bounds == null ? "" : bounds.getText();
            String most = length.isEmpty() ? "<>" : length.replace('[', '<').replace(']', '>');
            report(Extension.MISLEADING_C_TYPE
                    .at(
                            positions.span(tree),
                            pointer != null
                                    ? "`" + SourceWords.of(tree) + "` is a number that may be absent, not text"
                                    : "`" + SourceWords.of(tree) + "` has four bytes for each character")
                    .hint("write string " + name + most + " for text or opaque " + name
                            + (length.isEmpty() ? most : length) + " for bytes, if the peers agree"));
        }
    }

    @Override
    public void enterEnumerator(XdrParser.EnumeratorContext tree) {
        if (tree.value() == null) {
            report(
                    Extension.COUNTED_ENUMERATOR,
                    tree.getStart(),
                    "an enumerator without a value gets the next number, as in C");
        }
    }

    @Override
    public void enterEnumBody(XdrParser.EnumBodyContext tree) {
        if (tree.trailing != null) {
            report(Extension.TRAILING_COMMA, tree.trailing, "XDR allows no comma after the last enumerator");
        }
    }

    @Override
    public void enterProcedure(XdrParser.ProcedureContext tree) {
        if (tree.argument().isEmpty()) {
            report(
                    Extension.PARAMETER,
                    tree.IDENTIFIER().getSymbol(),
                    "XDR writes `(void)` for a procedure without arguments");
        }
    }

    @Override
    public void enterTypedResult(XdrParser.TypedResultContext tree) {
        parameter(tree, tree.type());
        characters(tree, tree.type(), tree.pointer, tree.bounds(), "NAME");
    }

    @Override
    public void enterTypedArgument(XdrParser.TypedArgumentContext tree) {
        parameter(tree, tree.type());
        String name = tree.IDENTIFIER() == null ? "NAME" : tree.IDENTIFIER().getText();
        characters(tree, tree.type(), tree.pointer, tree.bounds(), name);
    }

    private void parameter(ParserRuleContext tree, XdrParser.TypeContext type) {
        boolean isString =
                type instanceof XdrParser.BuiltinContext builtin && builtin.word.getType() == XdrParser.STRING_TYPE;
        boolean isMoreThanType = tree.getChildCount() > 1;
        if (isString || isMoreThanType) {
            report(Extension.PARAMETER.at(
                    positions.span(tree),
                    "an argument or a result is the name of a type, without a bound or a name of its own"));
        }
    }

    @Override
    public void enterArm(XdrParser.ArmContext tree) {
        List<XdrParser.MemberContext> members = tree.member();
        if (members.size() > 1) {
            String label = SourceWords.of(tree.label(0));
            String name = SourceWords.armName(tree);
            String body = members.stream()
                    .map(member -> SourceWords.of(member.declaration()) + ";")
                    .collect(Collectors.joining(" "));
            diagnostics.report(Extension.SEVERAL_DECLARATIONS
                    .at(
                            positions.span(members.get(1)),
                            "an arm can have only one declaration; those of `" + label + "` are treated as a struct `"
                                    + name + "`")
                    .hint("standard XDR is: " + label + " struct { " + body + " } " + name + ";"));
        }
    }

    private void report(Extension extension, Token token, String message) {
        report(extension.at(positions.span(token), message));
    }

    private void report(Diagnostic diagnostic) {
        diagnostics.report(diagnostic);
    }
}
