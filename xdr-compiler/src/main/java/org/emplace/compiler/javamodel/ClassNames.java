// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.javamodel;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.emplace.compiler.binding.Binding;
import org.emplace.compiler.model.Program;
import org.emplace.compiler.model.Program.Version;
import org.emplace.compiler.model.Protocol;
import org.emplace.compiler.model.Target;
import org.emplace.compiler.model.TypeDefinition;
import org.emplace.compiler.model.TypeDefinition.Enumeration;
import org.emplace.compiler.model.TypeDefinition.Union;

/** The classes of a protocol's package, named so that they never clash. Programs choose before types do. */
final class ClassNames {
    private static final List<String> PROGRAM_SUFFIXES = List.of("_PROGRAM", "PROGRAM", "_PROG", "PROG");

    private final String packageName;
    private final Map<Target, String> overrides;
    private final Map<Target, String> prefixes;
    private final Map<String, String> prefixesOfValues = new HashMap<>();
    private final Map<String, JavaName> types = new HashMap<>();
    private final Map<Target.Version, String> programs = new HashMap<>();
    private final NameScope classes = NameScope.ofClasses();
    private final JavaName constants;

    ClassNames(Protocol protocol, Binding binding, String packageName) {
        this.packageName = packageName;
        this.overrides = binding.javaNames();
        this.prefixes = binding.prefixes();
        for (TypeDefinition type : protocol.types().values()) {
            if (type instanceof Enumeration enumeration) {
                prefix(new Target.Type(type.name()))
                        .ifPresent(prefix -> Stream.concat(
                                        enumeration.enumerators().stream(), enumeration.aliases().stream())
                                .forEach(each -> prefixesOfValues.put(each.name(), prefix)));
            }
        }
        this.constants = inPackage(classes.claim("Constants"));
        for (Program program : protocol.programs()) {
            program.versions().forEach(version -> programs.put(key(program, version), claimProgram(program, version)));
        }
        for (TypeDefinition type : protocol.types().values()) {
            if (hasClass(protocol, type)) {
                types.put(
                        type.name(),
                        inPackage(classes.claim(
                                override(new Target.Type(type.name()), NameWords.capitalised(type.name())))));
            }
        }
    }

    private static boolean hasClass(Protocol protocol, TypeDefinition type) {
        return !(type instanceof TypeDefinition.Typedef)
                && !(type instanceof Union union
                        && protocol.optionalMember(union).isPresent());
    }

    /** The class of an enum, struct or union. */
    JavaName type(String xdrName) {
        JavaName name = types.get(xdrName);
        if (name == null) {
            throw new IllegalArgumentException("no class is generated for " + xdrName);
        }
        return name;
    }

    /** The class that holds the constants. */
    JavaName constants() {
        return constants;
    }

    /** The first part of the names of a version's classes. */
    String program(Program program, Version version) {
        String base = programs.get(key(program, version));
        if (base == null) {
            throw new IllegalArgumentException("not in this protocol: " + key(program, version));
        }
        return base;
    }

    /** A class of this package. */
    JavaName inPackage(String simpleName) {
        return JavaName.of(packageName, simpleName);
    }

    /** The simple names of all types' classes. */
    Collection<String> typeNames() {
        return types.values().stream().map(JavaName::simpleName).toList();
    }

    /** Whether a class of the package, or one that generated code uses, has this name. */
    boolean isTaken(String simpleName) {
        return !classes.isFree(simpleName);
    }

    /** What a clause says that Java names leave out. */
    Optional<String> prefix(Target target) {
        return Optional.ofNullable(prefixes.get(target));
    }

    /** An enumerator, or whatever a label names, without what its enum's clause leaves out. Enumerators of all enums are one scope. */
    String value(String label) {
        return NameWords.without(prefixesOfValues.getOrDefault(label, ""), label);
    }

    /** The name that the binding gives, or else the usual one. */
    String override(Target target, String usual) {
        return overrides.getOrDefault(target, usual);
    }

    private String claimProgram(Program program, Version version) {
        String base = override(
                key(program, version), NameWords.capitalised(withoutSuffix(program.name())) + version.number());
        while (!companions(base).allMatch(classes::isFree)) {
            base += "_";
        }
        companions(base).forEach(classes::claim);
        return base;
    }

    private static Stream<String> companions(String base) {
        return Stream.of(base, base + "Client", base + "Server", base + "AsyncServer");
    }

    /** A program without the word that says that it is one. */
    static String withoutSuffix(String program) {
        return PROGRAM_SUFFIXES.stream()
                .filter(suffix -> program.endsWith(suffix) && program.length() > suffix.length())
                .findFirst()
                .map(suffix -> program.substring(0, program.length() - suffix.length()))
                .orElse(program);
    }

    private static Target.Version key(Program program, Version version) {
        return new Target.Version(program.name(), version.name());
    }
}
