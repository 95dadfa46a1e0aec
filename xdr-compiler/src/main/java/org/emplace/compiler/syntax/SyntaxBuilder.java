// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.syntax;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.tree.TerminalNode;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.source.Span;
import org.jspecify.annotations.Nullable;

/** Builds syntax records from a parse tree without errors; {@code ofClauses} takes what is wrong with clauses. */
record SyntaxBuilder(
        Positions positions,
        Diagnostics diagnostics,
        Diagnostics ofClauses,
        Numbers numbers,
        Comments comments,
        Map<Token, List<Clause>> clauses) {

    List<SyntaxFile.Written> definitions(XdrParser.FileContext tree) {
        List<SyntaxFile.Written> written = new ArrayList<>();
        items(tree.item(), written);
        return written;
    }

    private void items(List<XdrParser.ItemContext> items, List<SyntaxFile.Written> written) {
        for (XdrParser.ItemContext item : items) {
            if (item.namespace() != null) {
                items(item.namespace().item(), written);
            } else if (item.definition() != null && !isString(item.definition().constant())) {
                written.add(new SyntaxFile.Written(definition(item.definition()), SourceWords.of(item.definition())));
            }
        }
    }

    private static boolean isString(XdrParser.@Nullable ConstantContext constant) {
        return constant != null && constant.STRING() != null;
    }

    private Definition definition(XdrParser.DefinitionContext tree) {
        String documentation = beside(tree);
        List<Clause> about = clauses(tree.binding());
        if (tree.constant() != null) {
            return new Definition.Constant(
                    name(tree.constant().IDENTIFIER()), value(tree.constant().value()), about, documentation);
        } else if (tree.typeAlias() != null) {
            return new Definition.Typedef(declaration(tree.typeAlias().declaration(), about, documentation));
        } else if (tree.enumeration() != null) {
            XdrParser.EnumerationContext type = tree.enumeration();
            return new Definition.Type(name(type.IDENTIFIER()), enumBody(type.enumBody()), about, documentation);
        } else if (tree.structure() != null) {
            XdrParser.StructureContext type = tree.structure();
            return new Definition.Type(name(type.IDENTIFIER()), structBody(type.structBody()), about, documentation);
        } else if (tree.union() != null) {
            XdrParser.UnionContext type = tree.union();
            return new Definition.Type(name(type.IDENTIFIER()), unionBody(type.unionBody()), about, documentation);
        } else {
            return program(tree.program(), documentation);
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
                clauses(tree.binding()),
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
                clauses(tree.binding()),
                beside(tree));
    }

    private Declaration result(XdrParser.ResultContext tree) {
        Name name = new Name("result", positions.span(tree));
        return tree.type() == null
                ? parameter(voidType(tree), new Declaration.Shape.Plain(), name)
                : parameter(type(tree.type()), shape(isPointer(tree), tree.bounds()), name);
    }

    private Declaration argument(XdrParser.ArgumentContext tree, String usualName) {
        Name name = tree.IDENTIFIER() == null ? new Name(usualName, positions.span(tree)) : name(tree.IDENTIFIER());
        return tree.type() == null
                ? parameter(voidType(tree), new Declaration.Shape.Plain(), name)
                : parameter(type(tree.type()), shape(isPointer(tree), tree.bounds()), name);
    }

    private static Declaration parameter(TypeSyntax type, Declaration.Shape shape, Name name) {
        return new Declaration(type, shape, name, List.of(), "");
    }

    private static boolean isPointer(ParserRuleContext tree) {
        return tree.getChildCount() > 1 && tree.getChild(1).getText().equals("*");
    }

    private TypeSyntax voidType(ParserRuleContext tree) {
        return new TypeSyntax.Builtin(TypeSyntax.Keyword.VOID, positions.span(tree.getStart()));
    }

    private Declaration member(XdrParser.MemberContext tree, ParserRuleContext whole) {
        return declaration(
                tree.declaration(), clauses(tree.binding()), comments.beside(whole.getStart(), whole.getStop()));
    }

    private Declaration declaration(XdrParser.DeclarationContext tree, List<Clause> about, String documentation) {
        if (tree.type() == null) {
            about.forEach(clause -> ofClauses.report(
                    Diagnostic.error("E301", clause.span(), "a binding clause cannot stand before `void`")));
            return new Declaration(
                    voidType(tree),
                    new Declaration.Shape.Plain(),
                    new Name("void", positions.span(tree)),
                    List.of(),
                    documentation);
        }
        Name name = name(tree.IDENTIFIER());
        boolean pointer = isPointer(tree);
        if (pointer && tree.bounds() != null) {
            diagnostics.report(Diagnostic.error(
                            "E111",
                            positions.span(tree.bounds()),
                            "`" + name.text() + "` is both optional and an array")
                    .hint("give one of the two a typedef of its own"));
        }
        return new Declaration(type(tree.type()), shape(pointer, tree.bounds()), name, about, documentation);
    }

    private Declaration.Shape shape(boolean pointer, XdrParser.@Nullable BoundsContext bounds) {
        if (pointer) {
            return new Declaration.Shape.Pointer();
        } else if (bounds == null) {
            return new Declaration.Shape.Plain();
        } else if (bounds.getStart().getText().equals("[")) {
            return new Declaration.Shape.Fixed(value(bounds.value()));
        } else {
            return new Declaration.Shape.Variable(
                    Optional.ofNullable(bounds.value()).map(this::value));
        }
    }

    private TypeSyntax type(XdrParser.TypeContext tree) {
        if (tree.structBody() != null) {
            return structBody(tree.structBody());
        } else if (tree.unionBody() != null) {
            return unionBody(tree.unionBody());
        } else if (tree.enumBody() != null) {
            return enumBody(tree.enumBody());
        } else if (isZeroCopyOpaque(tree)) {
            return new TypeSyntax.Builtin(TypeSyntax.Keyword.OPAQUE, positions.span(tree));
        } else if (tree.IDENTIFIER() != null) {
            return new TypeSyntax.Named(name(tree.IDENTIFIER()), tag(tree.getStart()));
        } else {
            return new TypeSyntax.Builtin(keyword(tree), positions.span(tree));
        }
    }

    /** The word with which some mark opaque data that they do not want to be copied. */
    static boolean isZeroCopyOpaque(XdrParser.TypeContext tree) {
        return tree.getText().equals("zcopaque");
    }

    private static TypeSyntax.Tag tag(Token first) {
        return switch (first.getText()) {
            case "struct" -> TypeSyntax.Tag.STRUCT;
            case "union" -> TypeSyntax.Tag.UNION;
            case "enum" -> TypeSyntax.Tag.ENUM;
            default -> TypeSyntax.Tag.ANY;
        };
    }

    private static TypeSyntax.Keyword keyword(XdrParser.TypeContext tree) {
        boolean isHyper = tree.getText().contains("hyper");
        String first = tree.getStart().getText();
        if (first.equals("unsigned")) {
            return isHyper ? TypeSyntax.Keyword.UNSIGNED_HYPER : TypeSyntax.Keyword.UNSIGNED_INT;
        }
        return switch (first) {
            case "int", "long", "short", "char" -> TypeSyntax.Keyword.INT;
            default -> TypeSyntax.Keyword.valueOf(first.toUpperCase(Locale.ROOT));
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
                tree.label().stream().map(label -> value(label.value())).toList(), body(tree.member(), tree));
    }

    /** Several declarations are taken as those of an anonymous struct. */
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
                clauses(tree.binding()),
                comments.besideListed(tree.getStart(), tree.getStop()));
    }

    private List<Clause> clauses(List<XdrParser.BindingContext> trees) {
        return trees.stream()
                .flatMap(tree -> clauses.getOrDefault(tree.getStart(), List.of()).stream())
                .toList();
    }

    private Value value(XdrParser.ValueContext tree) {
        if (tree.NUMBER() != null) {
            return numbers.read(tree.getStart());
        }
        return tree.CHARACTER() != null
                ? numbers.readCharacter(tree.getStart())
                : new Value.Named(tree.getText(), positions.span(tree));
    }

    private Name name(TerminalNode identifier) {
        return new Name(identifier.getText(), positions.span(identifier.getSymbol()));
    }

    private String beside(ParserRuleContext tree) {
        return comments.beside(tree.getStart(), tree.getStop());
    }
}
