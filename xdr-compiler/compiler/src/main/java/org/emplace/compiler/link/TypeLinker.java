// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.link;

import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.model.Target;
import org.emplace.compiler.model.TypeDefinition;
import org.emplace.compiler.model.XdrType;
import org.emplace.compiler.preprocess.LinesForC;
import org.emplace.compiler.source.Span;
import org.emplace.compiler.syntax.Declaration;
import org.emplace.compiler.syntax.Definition;
import org.emplace.compiler.syntax.Name;
import org.emplace.compiler.syntax.TypeSyntax;
import org.emplace.compiler.syntax.Value;

/** Pass 4: links type definitions. Reports erroneous ones and leaves them out or replaces them, so that the pass can continue. */
final class TypeLinker {

    private static final XdrType IN_ERROR = XdrType.Primitive.VOID;

    private final Map<String, Definition> definitions;
    private final Map<String, TypeDefinition> ofRpc = new LinkedHashMap<>();
    private final Values values;
    private final CTypes ofC;
    private final ClauseCollector clauses;
    private final Diagnostics diagnostics;

    private TypeLinker(
            Map<String, Definition> definitions,
            Values values,
            LinesForC linesForC,
            ClauseCollector clauses,
            Diagnostics diagnostics) {
        this.definitions = definitions;
        this.values = values;
        this.ofC = new CTypes(definitions, linesForC, diagnostics);
        this.clauses = clauses;
        this.diagnostics = diagnostics;
    }

    static TypeLinker of(
            List<Definition> all,
            Values values,
            LinesForC linesForC,
            ClauseCollector clauses,
            Diagnostics diagnostics) {
        Map<String, Definition> types = new LinkedHashMap<>();
        for (Definition definition : all) {
            if (definition instanceof Definition.Type || definition instanceof Definition.Typedef) {
                Definition first = types.putIfAbsent(definition.name().text(), definition);
                if (first != null) {
                    clauses.markInError(new Target.Type(definition.name().text()));
                    diagnostics.report(Repetitions.error(
                            "type", definition.name(), first.name().span()));
                }
            }
        }
        return new TypeLinker(types, values, linesForC, clauses, diagnostics);
    }

    /** The RPC types that the definitions linked so far use without defining them. */
    Map<String, TypeDefinition> ofRpc() {
        return Collections.unmodifiableMap(ofRpc);
    }

    Map<String, TypeDefinition> link() {
        Map<String, TypeDefinition> types = new LinkedHashMap<>();
        definitions.forEach((name, definition) ->
                types.put(name, clauses.link(new Target.Type(name), () -> link(name, definition))));
        return Collections.unmodifiableMap(types);
    }

    private TypeDefinition link(String name, Definition definition) {
        if (definition instanceof Definition.Typedef typedef) {
            Declaration declaration = typedef.declaration();
            clauses.place(new Target.Type(name), declaration.clauses());
            return new TypeDefinition.Typedef(
                    name,
                    type(declaration),
                    declaration.documentation(),
                    declaration.name().span());
        }
        Definition.Type type = (Definition.Type) definition;
        clauses.place(new Target.Type(name), type.clauses());
        if (type.body() instanceof TypeSyntax.Structure struct) {
            return structure(type, struct);
        } else if (type.body() instanceof TypeSyntax.Union union) {
            return new UnionLinker(this, values, clauses, diagnostics).link(type, union);
        } else {
            return new EnumLinker(values, clauses, diagnostics).link(type, (TypeSyntax.Enumeration) type.body());
        }
    }

    private TypeDefinition structure(Definition.Type type, TypeSyntax.Structure struct) {
        Map<String, Span> seen = new HashMap<>();
        List<TypeDefinition.Field> fields = struct.members().stream()
                .flatMap(member -> field(type.name().text(), member, seen).stream())
                .toList();
        return new TypeDefinition.Structure(
                type.name().text(), fields, type.documentation(), type.name().span());
    }

    private Optional<TypeDefinition.Field> field(String holder, Declaration member, Map<String, Span> seen) {
        if (member.isVoid()) {
            diagnostics.report(Diagnostic.error("E214", member.type().span(), "a struct cannot have a void member"));
            return Optional.empty();
        }
        return Optional.of(member(holder, member, seen));
    }

    /** A member of a struct or union. Collects its clauses. */
    TypeDefinition.Field member(String holder, Declaration member, Map<String, Span> seen) {
        Name name = member.name();
        Span first = seen.putIfAbsent(name.text(), name.span());
        if (first != null) {
            diagnostics.report(Diagnostic.error(
                            "E215", name.span(), "`" + holder + "` has more than one member `" + name.text() + "`")
                    .note(first, "first defined here"));
        }
        clauses.place(new Target.Item(holder, name.text()), member.clauses());
        XdrType type = isBoundByMember(member, seen) ? IN_ERROR : type(member);
        return new TypeDefinition.Field(name.text(), type, member.documentation(), name.span());
    }

    /** Whether a bound is the name of a member before it, which is reported: arrays of C often have their length beside them. */
    private boolean isBoundByMember(Declaration member, Map<String, Span> seen) {
        Optional<Value> bound = member.shape() instanceof Declaration.Shape.Variable variable
                ? variable.max()
                : member.shape() instanceof Declaration.Shape.Fixed fixed
                        ? Optional.of(fixed.size())
                        : Optional.empty();
        Optional<Value> found = bound.filter(value -> seen.containsKey(value.text()) && values.isUnknown(value.text()));
        found.ifPresent(value -> diagnostics.report(
                Diagnostic.error("E203", value.span(), "`" + value.text() + "` is a member, not a constant")
                        .hint("the length of an array is sent with it: write "
                                + member.name().text() + "<>")));
        return found.isPresent();
    }

    /** The enum behind a type, if it is one. */
    Optional<Definition.Type> enumeration(XdrType type) {
        XdrType at = type;
        for (int steps = 0; steps <= definitions.size() && at instanceof XdrType.Reference reference; steps++) {
            Definition definition = definitions.get(reference.name());
            if (definition instanceof Definition.Type found) {
                return Optional.of(found).filter(enumeration -> enumeration.body() instanceof TypeSyntax.Enumeration);
            } else if (definition instanceof Definition.Typedef typedef && isPlain(typedef)) {
                at = plain(typedef.declaration().type());
            } else {
                return Optional.empty();
            }
        }
        return Optional.empty();
    }

    /** Whether an error, which is reported, has replaced a type. */
    static boolean isInError(XdrType type) {
        return type == IN_ERROR;
    }

    /** The primitive type or the reference behind typedefs. */
    XdrType behindTypedefs(XdrType type) {
        XdrType at = type;
        for (int steps = 0; steps <= definitions.size() && at instanceof XdrType.Reference reference; steps++) {
            if (definitions.get(reference.name()) instanceof Definition.Typedef typedef && isPlain(typedef)) {
                at = plain(typedef.declaration().type());
            } else {
                return at;
            }
        }
        return at;
    }

    private static boolean isPlain(Definition.Typedef typedef) {
        return typedef.declaration().shape() instanceof Declaration.Shape.Plain;
    }

    /** The type of an argument or result. A string there needs no bound. */
    XdrType parameter(Declaration declaration) {
        if (declaration.type() instanceof TypeSyntax.Builtin builtin
                && declaration.shape() instanceof Declaration.Shape.Plain) {
            if (builtin.keyword() == TypeSyntax.Keyword.STRING) {
                return new XdrType.StringType(XdrType.UNBOUNDED);
            } else if (builtin.keyword() == TypeSyntax.Keyword.VOID) {
                return XdrType.Primitive.VOID;
            }
        }
        return type(declaration);
    }

    /** The type of a declaration. */
    XdrType type(Declaration declaration) {
        if (declaration.type() instanceof TypeSyntax.Builtin builtin) {
            switch (builtin.keyword()) {
                case OPAQUE -> {
                    return opaque(declaration);
                }
                case STRING -> {
                    return string(declaration);
                }
                case VOID -> {
                    return refuse(
                            builtin.span(),
                            "void is not a type",
                            "use void only for arms of unions and for procedures");
                }
                default -> {
                    // These are linked like any other element.
                }
            }
        }
        XdrType element = plain(declaration.type());
        Declaration.Shape shape = declaration.shape();
        if (shape instanceof Declaration.Shape.Pointer) {
            return new XdrType.Optional(element);
        } else if (shape instanceof Declaration.Shape.Fixed fixed) {
            return new XdrType.FixedArray(element, size(fixed));
        } else if (shape instanceof Declaration.Shape.Variable variable) {
            return new XdrType.VariableArray(element, max(variable));
        } else {
            return element;
        }
    }

    private XdrType opaque(Declaration declaration) {
        if (declaration.shape() instanceof Declaration.Shape.Fixed fixed) {
            return new XdrType.FixedOpaque(size(fixed));
        } else if (declaration.shape() instanceof Declaration.Shape.Variable variable) {
            return new XdrType.VariableOpaque(max(variable));
        }
        String name = declaration.name().text();
        return refuse(
                declaration.type().span(),
                "opaque needs a length",
                "write opaque " + name + "[n] for n bytes, or opaque " + name + "<n> for at most n bytes");
    }

    private XdrType string(Declaration declaration) {
        if (declaration.shape() instanceof Declaration.Shape.Variable variable) {
            return new XdrType.StringType(max(variable));
        }
        return refuse(
                declaration.type().span(),
                "a string needs `<>` after its name",
                "write string " + declaration.name().text() + "<>, or for at most n bytes string "
                        + declaration.name().text() + "<n>");
    }

    private long size(Declaration.Shape.Fixed fixed) {
        return values.length(fixed.size(), Integer.MAX_VALUE, "the size")
                .map(Number::longValue)
                .orElse(1L);
    }

    private long max(Declaration.Shape.Variable variable) {
        return variable.max()
                .flatMap(value -> values.length(value, XdrType.UNBOUNDED, "the bound"))
                .map(Number::longValue)
                .orElse(XdrType.UNBOUNDED);
    }

    private XdrType plain(TypeSyntax type) {
        if (type instanceof TypeSyntax.Named named) {
            return reference(named);
        }
        return switch (((TypeSyntax.Builtin) type).keyword()) {
            case INT -> XdrType.Primitive.INT;
            case UNSIGNED_INT -> XdrType.Primitive.UNSIGNED_INT;
            case HYPER -> XdrType.Primitive.HYPER;
            case UNSIGNED_HYPER -> XdrType.Primitive.UNSIGNED_HYPER;
            case FLOAT -> XdrType.Primitive.FLOAT;
            case DOUBLE -> XdrType.Primitive.DOUBLE;
            case QUADRUPLE -> XdrType.Primitive.QUADRUPLE;
            case BOOL -> XdrType.Primitive.BOOL;
            case VOID, OPAQUE, STRING -> IN_ERROR;
        };
    }

    private XdrType reference(TypeSyntax.Named named) {
        String name = named.name().text();
        Definition definition = definitions.get(name);
        if (definition == null) {
            return undefined(named.name());
        }
        if (named.tag() != TypeSyntax.Tag.ANY && named.tag() != tag(definition)) {
            String written = named.tag().name().toLowerCase(Locale.ROOT);
            diagnostics.report(Diagnostic.error("E217", named.span(), "`" + name + "` is not a " + written)
                    .note(definition.name().span(), "defined here"));
        }
        return new XdrType.Reference(name);
    }

    private XdrType undefined(Name name) {
        Optional<TypeDefinition> meaning = RpcHeader.struct(name, diagnostics);
        meaning.ifPresent(struct -> ofRpc.putIfAbsent(struct.name(), struct));
        return meaning.isPresent()
                ? new XdrType.Reference(name.text())
                : ofC.meaning(name).orElse(IN_ERROR);
    }

    private static TypeSyntax.Tag tag(Definition definition) {
        if (!(definition instanceof Definition.Type type)) {
            return TypeSyntax.Tag.ANY;
        }
        return type.body() instanceof TypeSyntax.Structure
                ? TypeSyntax.Tag.STRUCT
                : type.body() instanceof TypeSyntax.Union ? TypeSyntax.Tag.UNION : TypeSyntax.Tag.ENUM;
    }

    private XdrType refuse(Span span, String message, String hint) {
        diagnostics.report(Diagnostic.error("E110", span, message).hint(hint));
        return IN_ERROR;
    }
}
