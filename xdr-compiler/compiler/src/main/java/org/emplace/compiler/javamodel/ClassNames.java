// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.javamodel;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.emplace.compiler.binding.Binding;
import org.emplace.compiler.model.Program;
import org.emplace.compiler.model.Program.Version;
import org.emplace.compiler.model.Protocol;
import org.emplace.compiler.model.Target;
import org.emplace.compiler.model.TypeDefinition;
import org.emplace.compiler.model.TypeDefinition.Enumeration;
import org.emplace.compiler.model.TypeDefinition.Union;

/** Names the classes and constants of a protocol. Each name depends only on its own definition and its clauses. */
final class ClassNames {
    private static final List<String> PROGRAM_SUFFIXES = List.of("_PROGRAM", "PROGRAM", "_PROG", "PROG");
    private static final NameScope CLASSES = NameScope.ofClasses();

    private final String packageName;
    private final Map<Target, String> overrides;
    private final Map<Target, String> prefixes;
    private final Set<String> values;
    private final Map<String, String> prefixesOfValues = new HashMap<>();
    private final Map<String, JavaName> types = new HashMap<>();

    ClassNames(Protocol protocol, Binding binding, String packageName) {
        this.packageName = packageName;
        this.overrides = binding.javaNames();
        this.prefixes = binding.prefixes();
        this.values = binding.typeClauses().values();
        for (TypeDefinition type : protocol.types().values()) {
            if (type instanceof Enumeration enumeration) {
                prefix(new Target.Type(type.name()))
                        .ifPresent(prefix ->
                                enumeration.withAliases().forEach(each -> prefixesOfValues.put(each.name(), prefix)));
            }
        }
        for (TypeDefinition type : protocol.types().values()) {
            if (hasClass(protocol, type)) {
                name(protocol, type);
            }
        }
    }

    /** The class of a type: nested in the class of the type that it is declared in, or top-level. */
    private JavaName name(Protocol protocol, TypeDefinition type) {
        JavaName known = types.get(type.name());
        if (known != null) {
            return known;
        }
        int dot = type.name().lastIndexOf('.');
        String member = type.name().substring(dot + 1);
        TypeDefinition holder =
                dot < 0 ? null : protocol.types().get(type.name().substring(0, dot));
        Optional<String> given = override(new Target.Type(type.name()));
        JavaName name;
        if (holder != null && hasClass(protocol, holder)) {
            name = nested(name(protocol, holder), holder instanceof Union, given.orElse(NameWords.capitalized(member)));
        } else {
            String procedure =
                    dot < 0 ? "" : type.name().substring(type.name().lastIndexOf('.', dot - 1) + 1, dot) + "_";
            name = JavaName.of(
                    protocol.imports().packageOf(type.origin().file()).orElse(packageName),
                    topLevel(protocol, type).allowed(given.orElse(NameWords.capitalized(procedure + member))));
        }
        types.put(type.name(), name);
        return name;
    }

    /** The scope of a type's class, which must not have the name of a class in it. */
    private static NameScope topLevel(Protocol protocol, TypeDefinition type) {
        boolean holdsVisitor = protocol.types().values().stream()
                .anyMatch(each -> each instanceof Union
                        && (each.equals(type) || each.name().startsWith(type.name() + ".")));
        return holdsVisitor ? CLASSES.reserve(List.of(UnionArm.VISITOR)) : CLASSES;
    }

    /**
     * The name of a nested class. It must differ from that of its holder, must not hide a class that generated code uses, and in a union must differ
     * from the names of the arms.
     */
    private static JavaName nested(JavaName holder, boolean isUnion, String proposed) {
        String name = isUnion ? proposed + "Type" : proposed;
        while (isReserved(holder, name)) {
            name += "Type";
        }
        return holder.nested(name);
    }

    private static boolean isReserved(JavaName holder, String name) {
        return holder.simpleNames().stream().anyMatch(name::equalsIgnoreCase)
                || !CLASSES.allowed(name).equals(name)
                || name.equals(UnionArm.VISITOR)
                || name.equals(JavaClass.Structure.BEFORE_LINK);
    }

    private boolean hasClass(Protocol protocol, TypeDefinition type) {
        return (!(type instanceof TypeDefinition.Typedef) || values.contains(type.name()))
                && !(type instanceof Union union
                        && protocol.optionalMember(union).isPresent());
    }

    /** The class of an enum, struct or union, or of a typedef that is a type of its own. */
    JavaName type(String xdrName) {
        JavaName name = types.get(xdrName);
        if (name == null) {
            throw new IllegalArgumentException("no class is generated for " + xdrName);
        }
        return name;
    }

    /** The class of the constants. */
    JavaName constants() {
        return inPackage(ReservedNames.CONSTANTS);
    }

    /** The class with the numbers and procedures of a version. */
    JavaName program(Program program, Version version) {
        String usual = NameWords.capitalized(withoutSuffix(program.name())) + version.number();
        return inPackage(CLASSES.allowed(override(new Target.Version(program.name(), version.name()), usual)));
    }

    /** A class of this package. */
    JavaName inPackage(String simpleName) {
        return JavaName.of(packageName, simpleName);
    }

    /** The prefix that a clause removes from Java names. */
    Optional<String> prefix(Target target) {
        return Optional.ofNullable(prefixes.get(target));
    }

    /**
     * The Java name of a constant or enumerator: the one that its clause sets, or its XDR name without the prefix of its enum. All of them share one
     * scope.
     */
    String constant(String xdrName) {
        return override(
                new Target.Constant(xdrName), NameWords.without(prefixesOfValues.getOrDefault(xdrName, ""), xdrName));
    }

    /** The name that a clause sets. */
    Optional<String> override(Target target) {
        return Optional.ofNullable(overrides.get(target));
    }

    /** The name that a clause sets, or else the default. */
    String override(Target target, String usual) {
        return overrides.getOrDefault(target, usual);
    }

    /** The name of a program without a final word for "program". */
    static String withoutSuffix(String program) {
        return PROGRAM_SUFFIXES.stream()
                .filter(suffix -> program.endsWith(suffix) && program.length() > suffix.length())
                .findFirst()
                .map(suffix -> program.substring(0, program.length() - suffix.length()))
                .orElse(program);
    }
}
