// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.syntax;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.tree.TerminalNode;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.source.Span;
import org.jspecify.annotations.Nullable;

/** Builds syntax records from a parse tree without errors. {@code ofClauses} receives errors in clauses. */
record SyntaxBuilder(
        Positions positions,
        Diagnostics diagnostics,
        Diagnostics ofClauses,
        Numbers numbers,
        Comments comments,
        BindingPlaces places,
        Map<Token, List<Clause>> clauses) {

    List<SyntaxFile.Written> definitions(XdrParser.FileContext tree) {
        List<SyntaxFile.Written> written = new ArrayList<>();
        items(tree.item(), written);
        return written;
    }

    private void items(List<XdrParser.ItemContext> items, List<SyntaxFile.Written> written) {
        for (XdrParser.ItemContext item : items) {
            if (item instanceof XdrParser.ItemOfNamespaceContext inside) {
                items(inside.namespace().item(), written);
            } else if (item instanceof XdrParser.ItemToBuildContext outside) {
                XdrParser.DefinitionContext tree = outside.definition();
                definition(tree).ifPresent(made -> written.add(new SyntaxFile.Written(made, places.text(tree))));
            }
        }
    }

    /** A definition; empty for a string constant, which has no meaning in XDR. */
    private Optional<Definition> definition(XdrParser.DefinitionContext tree) {
        String documentation = beside(tree);
        if (tree instanceof XdrParser.BoundContext bound) {
            Defined defined = new Defined(clauses(bound), documentation);
            return bound.defined().accept(defined);
        }
        return Optional.of(program(((XdrParser.UnboundContext) tree).program(), documentation));
    }

    /** The definitions that may have clauses before them. */
    private final class Defined extends XdrBaseVisitor<Optional<Definition>> {
        private final List<Clause> about;
        private final String documentation;

        Defined(List<Clause> about, String documentation) {
            this.about = about;
            this.documentation = documentation;
        }

        @Override
        public Optional<Definition> visitConstant(XdrParser.ConstantContext tree) {
            if (tree.constantValue() instanceof XdrParser.PlainConstantContext plain) {
                return Optional.of(
                        new Definition.Constant(name(tree.IDENTIFIER()), value(plain.value()), about, documentation));
            }
            about.forEach(clause -> ofClauses.report(clause.withoutEffect("string constants are ignored")));
            return Optional.empty();
        }

        @Override
        public Optional<Definition> visitTypeAlias(XdrParser.TypeAliasContext tree) {
            return Optional.of(new Definition.Typedef(declaration(tree.declaration(), about, documentation)));
        }

        @Override
        public Optional<Definition> visitEnumeration(XdrParser.EnumerationContext tree) {
            return type(tree.IDENTIFIER(), enumBody(tree.enumBody()));
        }

        @Override
        public Optional<Definition> visitStructure(XdrParser.StructureContext tree) {
            return type(tree.IDENTIFIER(), structBody(tree.structBody()));
        }

        @Override
        public Optional<Definition> visitUnion(XdrParser.UnionContext tree) {
            return type(tree.IDENTIFIER(), unionBody(tree.unionBody()));
        }

        private Optional<Definition> type(TerminalNode identifier, TypeSyntax body) {
            return Optional.of(new Definition.Type(name(identifier), body, about, documentation));
        }
    }

    private Definition.Program program(XdrParser.ProgramContext tree, String documentation) {
        return new Definition.Program(
                name(tree.IDENTIFIER()),
                value(tree.value()),
                tree.version().stream().map(this::version).toList(),
                documentation);
    }

    private Definition.Version version(XdrParser.VersionContext tree) {
        return new Definition.Version(
                name(tree.IDENTIFIER()),
                value(tree.value()),
                tree.procedure().stream().map(this::procedure).toList(),
                clauses(tree),
                beside(tree));
    }

    private Definition.Procedure procedure(XdrParser.ProcedureContext tree) {
        List<Declaration> arguments = new ArrayList<>();
        for (XdrParser.ArgumentContext argument : tree.argument()) {
            arguments.add(argument(argument, "arg" + (arguments.size() + 1)));
        }
        return new Definition.Procedure(
                name(tree.IDENTIFIER()),
                value(tree.value()),
                result(tree.result()),
                arguments,
                clauses(tree),
                beside(tree));
    }

    private Declaration result(XdrParser.ResultContext tree) {
        Name name = new Name("result", positions.span(tree));
        return tree instanceof XdrParser.TypedResultContext typed
                ? parameter(type(typed.type()), shape(typed.pointer, typed.bounds()), name)
                : parameter(voidType(tree), new Declaration.Shape.Plain(), name);
    }

    private Declaration argument(XdrParser.ArgumentContext tree, String usualName) {
        Name unnamed = new Name(usualName, positions.span(tree));
        if (tree instanceof XdrParser.TypedArgumentContext typed) {
            Name name = typed.IDENTIFIER() == null ? unnamed : name(typed.IDENTIFIER());
            return parameter(type(typed.type()), shape(typed.pointer, typed.bounds()), name);
        }
        return parameter(voidType(tree), new Declaration.Shape.Plain(), unnamed);
    }

    private static Declaration parameter(TypeSyntax type, Declaration.Shape shape, Name name) {
        return new Declaration(type, shape, name, List.of(), "");
    }

    private TypeSyntax voidType(ParserRuleContext tree) {
        return new TypeSyntax.Builtin(TypeSyntax.Keyword.VOID, positions.span(tree.getStart()));
    }

    private Declaration member(XdrParser.MemberContext tree, ParserRuleContext whole) {
        return declaration(tree.declaration(), clauses(tree), comments.beside(whole.getStart(), whole.getStop()));
    }

    private Declaration declaration(XdrParser.DeclarationContext tree, List<Clause> about, String documentation) {
        if (tree instanceof XdrParser.TypedDeclarationContext typed) {
            return declaration(typed, about, documentation);
        }
        about.forEach(clause ->
                ofClauses.report(Diagnostic.error("E301", clause.span(), "a binding clause cannot apply to `void`")));
        return new Declaration(
                voidType(tree),
                new Declaration.Shape.Plain(),
                new Name("void", positions.span(tree)),
                List.of(),
                documentation);
    }

    private Declaration declaration(XdrParser.TypedDeclarationContext tree, List<Clause> about, String documentation) {
        Name name = name(tree.IDENTIFIER());
        if (tree.pointer != null && tree.bounds() != null) {
            diagnostics.report(Diagnostic.error(
                            "E111",
                            positions.span(tree.bounds()),
                            "`" + name.text() + "` is both optional and an array")
                    .hint(
                            tree.type().getStop().getType() == XdrParser.CHAR
                                    ? DeclarationHints.arrayOfStrings(
                                            "<>", name.text(), tree.bounds().getText())
                                    : "define a typedef for one of the two"));
        }
        return new Declaration(type(tree.type()), shape(tree.pointer, tree.bounds()), name, about, documentation);
    }

    private Declaration.Shape shape(@Nullable Token pointer, XdrParser.@Nullable BoundsContext bounds) {
        if (pointer != null) {
            return new Declaration.Shape.Pointer();
        } else if (bounds instanceof XdrParser.FixedBoundsContext fixed) {
            return new Declaration.Shape.Fixed(value(fixed.value()));
        } else if (bounds instanceof XdrParser.VariableBoundsContext variable) {
            return new Declaration.Shape.Variable(
                    Optional.ofNullable(variable.value()).map(this::value));
        } else {
            return new Declaration.Shape.Plain();
        }
    }

    private TypeSyntax type(XdrParser.TypeContext tree) {
        return tree.accept(new Types());
    }

    private final class Types extends XdrBaseVisitor<TypeSyntax> {
        @Override
        public TypeSyntax visitStructHere(XdrParser.StructHereContext tree) {
            return structBody(tree.structBody());
        }

        @Override
        public TypeSyntax visitUnionHere(XdrParser.UnionHereContext tree) {
            return unionBody(tree.unionBody());
        }

        @Override
        public TypeSyntax visitEnumHere(XdrParser.EnumHereContext tree) {
            return enumBody(tree.enumBody());
        }

        @Override
        public TypeSyntax visitReference(XdrParser.ReferenceContext tree) {
            return isZeroCopyOpaque(tree)
                    ? builtin(TypeSyntax.Keyword.OPAQUE, tree)
                    : new TypeSyntax.Named(
                            new Name(tree.qualified().name.getText(), positions.span(tree.qualified())), tag(tree.tag));
        }

        @Override
        public TypeSyntax visitUnsignedInteger(XdrParser.UnsignedIntegerContext tree) {
            boolean isHyper = tree.integer() instanceof XdrParser.HyperContext;
            return builtin(isHyper ? TypeSyntax.Keyword.UNSIGNED_HYPER : TypeSyntax.Keyword.UNSIGNED_INT, tree);
        }

        @Override
        public TypeSyntax visitSignedInteger(XdrParser.SignedIntegerContext tree) {
            boolean isHyper = tree.integer() instanceof XdrParser.HyperContext;
            return builtin(isHyper ? TypeSyntax.Keyword.HYPER : TypeSyntax.Keyword.INT, tree);
        }

        @Override
        public TypeSyntax visitBuiltin(XdrParser.BuiltinContext tree) {
            return builtin(
                    switch (tree.word.getType()) {
                        case XdrParser.FLOAT -> TypeSyntax.Keyword.FLOAT;
                        case XdrParser.DOUBLE -> TypeSyntax.Keyword.DOUBLE;
                        case XdrParser.QUADRUPLE -> TypeSyntax.Keyword.QUADRUPLE;
                        case XdrParser.BOOL -> TypeSyntax.Keyword.BOOL;
                        case XdrParser.OPAQUE -> TypeSyntax.Keyword.OPAQUE;
                        default -> TypeSyntax.Keyword.STRING;
                    },
                    tree);
        }

        private TypeSyntax builtin(TypeSyntax.Keyword keyword, ParserRuleContext tree) {
            return new TypeSyntax.Builtin(keyword, positions.span(tree));
        }
    }

    /** A word of xdrpp for opaque data that is to be moved without a copy. */
    static boolean isZeroCopyOpaque(XdrParser.ReferenceContext tree) {
        return tree.tag == null && tree.qualified().getText().equals("zcopaque");
    }

    private static TypeSyntax.Tag tag(@Nullable Token word) {
        return switch (word == null ? Token.INVALID_TYPE : word.getType()) {
            case XdrParser.STRUCT -> TypeSyntax.Tag.STRUCT;
            case XdrParser.UNION -> TypeSyntax.Tag.UNION;
            case XdrParser.ENUM -> TypeSyntax.Tag.ENUM;
            default -> TypeSyntax.Tag.ANY;
        };
    }

    private TypeSyntax.Structure structBody(XdrParser.StructBodyContext tree) {
        return new TypeSyntax.Structure(
                tree.member().stream().map(member -> member(member, member)).toList(), positions.span(tree));
    }

    private TypeSyntax.Union unionBody(XdrParser.UnionBodyContext tree) {
        return new TypeSyntax.Union(
                declaration(tree.declaration(), List.of(), ""),
                tree.arm().stream()
                        .filter(arm -> !DefaultArms.isDefault(arm))
                        .map(this::arm)
                        .toList(),
                tree.arm().stream().filter(DefaultArms::isDefault).findFirst().map(arm -> body(arm.member(), arm)),
                positions.span(tree));
    }

    private TypeSyntax.Arm arm(XdrParser.ArmContext tree) {
        return new TypeSyntax.Arm(
                tree.label().stream()
                        .flatMap(label -> label instanceof XdrParser.CaseLabelContext value
                                ? Stream.of(value(value.value()))
                                : Stream.empty())
                        .toList(),
                body(tree.member(), tree));
    }

    /** Treats several declarations of an arm as the members of an anonymous struct. */
    private Declaration body(List<XdrParser.MemberContext> members, XdrParser.ArmContext arm) {
        if (members.size() == 1) {
            return member(members.get(0), arm);
        }
        Span span = positions.span(members.get(0));
        TypeSyntax struct = new TypeSyntax.Structure(
                members.stream().map(member -> member(member, member)).toList(), span);
        return new Declaration(
                struct,
                new Declaration.Shape.Plain(),
                new Name(SourceWords.armName(arm), span),
                List.of(),
                beside(arm));
    }

    private TypeSyntax.Enumeration enumBody(XdrParser.EnumBodyContext tree) {
        return new TypeSyntax.Enumeration(
                tree.enumerator().stream().map(this::enumerator).toList(), positions.span(tree));
    }

    private TypeSyntax.Enumerator enumerator(XdrParser.EnumeratorContext tree) {
        return new TypeSyntax.Enumerator(
                name(tree.IDENTIFIER()),
                Optional.ofNullable(tree.value()).map(this::value),
                clauses(tree),
                comments.besideListed(tree.getStart(), tree.getStop()));
    }

    private List<Clause> clauses(ParserRuleContext tree) {
        List<Token> before = places.before(tree);
        before.stream()
                .filter(comment -> places.isBehindAnother(comment, tree))
                .forEach(comment -> ofClauses.report(Diagnostic.warning(
                                "W110",
                                positions.span(comment),
                                "this binding clause looks as if it belongs to what is before it, but is about line "
                                        + tree.getStart().getLine())
                        .hint("write a clause directly before what it is about, in a line of its own if need be")));
        return before.stream()
                .flatMap(comment -> clauses.getOrDefault(comment, List.of()).stream())
                .toList();
    }

    private Value value(XdrParser.ValueContext tree) {
        Token token = tree.getStart();
        if (tree instanceof XdrParser.NumberContext) {
            return numbers.read(token);
        }
        return tree instanceof XdrParser.CharacterContext
                ? numbers.readCharacter(token)
                : new Value.Named(
                        ((XdrParser.NamedContext) tree).qualified().name.getText(), positions.span(tree));
    }

    private Name name(TerminalNode identifier) {
        return new Name(identifier.getText(), positions.span(identifier.getSymbol()));
    }

    private String beside(ParserRuleContext tree) {
        return comments.beside(tree.getStart(), tree.getStop());
    }
}
