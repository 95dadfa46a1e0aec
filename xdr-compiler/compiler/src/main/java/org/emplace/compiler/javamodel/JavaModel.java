// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.javamodel;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.emplace.compiler.binding.Binding;
import org.emplace.compiler.binding.Binding.VersionBinding;
import org.emplace.compiler.javamodel.JavaClass.Discriminant;
import org.emplace.compiler.model.Program;
import org.emplace.compiler.model.Program.Version;
import org.emplace.compiler.model.Protocol;
import org.emplace.compiler.model.Protocol.Constant;
import org.emplace.compiler.model.Recursion;
import org.emplace.compiler.model.Target;
import org.emplace.compiler.model.TypeDefinition;
import org.emplace.compiler.model.TypeDefinition.Enumeration;
import org.emplace.compiler.model.TypeDefinition.Enumerator;
import org.emplace.compiler.model.TypeDefinition.Field;
import org.emplace.compiler.model.TypeDefinition.Structure;
import org.emplace.compiler.model.TypeDefinition.Union;
import org.emplace.compiler.model.XdrType;
import org.emplace.compiler.model.XdrType.Reference;

/** The Java classes, names and types of a protocol. */
public final class JavaModel {
    private static final String KNOWN = "Known";
    private static final String UNKNOWN = "Unknown";
    private static final String VALUE = "value";

    private final Protocol protocol;
    private final Binding binding;
    private final Recursion recursion;
    private final ClassNames names;
    private final JavaTypes types;
    private final Map<String, JavaClass> classes = new LinkedHashMap<>();
    private final Map<String, Map<Integer, String>> constants = new HashMap<>();
    private final List<RemoteProgram> programs = new ArrayList<>();

    private JavaModel(Protocol protocol, Binding binding, String packageName) {
        this.protocol = protocol;
        this.binding = binding;
        this.recursion = new Recursion(protocol);
        this.names = new ClassNames(protocol, binding, packageName);
        this.types = new JavaTypes(protocol, binding, names);
    }

    /** Makes the model of a protocol in a package. */
    public static JavaModel of(Protocol protocol, Binding binding, String packageName) {
        JavaModel model = new JavaModel(protocol, binding, packageName);
        protocol.types().values().forEach(model::addClass);
        protocol.programs().forEach(program -> program.versions().forEach(version -> model.add(program, version)));
        return model;
    }

    /** The protocol of this model. */
    public Protocol protocol() {
        return protocol;
    }

    /** The protocol's binding. */
    public Binding binding() {
        return binding;
    }

    /** The class of the constants, which is generated only if there are any. */
    public JavaName constants() {
        return names.constants();
    }

    /** The Java name of a constant. */
    public String constant(Constant constant) {
        return NameScope.ofMembers().allowed(names.constant(constant.name()));
    }

    /** The class of each definition that has one, in the order of the definitions. */
    public Collection<JavaClass> classes() {
        return classes.values().stream()
                .filter(each -> !protocol.imports().has(each.definition().origin()))
                .toList();
    }

    /** All classes, including those that were generated elsewhere. */
    Collection<JavaClass> allClasses() {
        return Collections.unmodifiableCollection(classes.values());
    }

    /** The versions of all programs, in the order of their definitions. */
    public List<RemoteProgram> programs() {
        return List.copyOf(programs);
    }

    /** The class of a definition; empty for unions that are optional-data, and for typedefs without a {@code value} or {@code bits} clause. */
    public Optional<JavaClass> classOf(String xdrName) {
        return Optional.ofNullable(classes.get(xdrName));
    }

    /** The class that a type is; empty for other types. */
    Optional<JavaClass> classOf(JavaType type) {
        return classes.values().stream()
                .filter(each -> type instanceof JavaType.Generated generated
                        && generated.name().equals(each.name()))
                .findFirst();
    }

    /** The Java type of an XDR type that is neither a member nor an arm. */
    public JavaType type(XdrType type) {
        return types.of(type);
    }

    /** The class of a typedef that is a type of its own. */
    public Optional<JavaClass.Value> valueOf(XdrType type) {
        return type instanceof Reference reference && classes.get(reference.name()) instanceof JavaClass.Value value
                ? Optional.of(value)
                : Optional.empty();
    }

    private void addClass(TypeDefinition definition) {
        if (definition instanceof Enumeration enumeration) {
            add(enumeration(enumeration));
        } else if (definition instanceof TypeDefinition.Typedef typedef
                && binding.typeClauses().values().contains(typedef.name())) {
            add(value(typedef));
        } else if (definition instanceof Structure structure) {
            add(new JavaClass.Structure(
                    names.type(structure.name()),
                    structure,
                    components(structure),
                    protocol.link(structure),
                    recursion.isRecursive(structure.name())));
        } else if (definition instanceof Union union
                && protocol.optionalMember(union).isEmpty()) {
            Discriminant discriminant = discriminant(union);
            add(new JavaClass.Union(
                    names.type(union.name()),
                    union,
                    discriminant,
                    new ArmNames(union, discriminant, types, names).arms(),
                    recursion.isRecursive(union.name())));
        }
    }

    private JavaClass value(TypeDefinition.Typedef typedef) {
        Optional<String> bitNames = binding.typeClauses().bits().getOrDefault(typedef.name(), Optional.empty());
        JavaType type = types.held(typedef);
        Field field = new Field(typedef.name(), typedef.target(), "", typedef.origin());
        return new JavaClass.Value(
                names.type(typedef.name()),
                typedef,
                new Component(type instanceof JavaType.Bits ? "bits" : VALUE, type, field),
                binding.typeClauses().texts().contains(typedef.name()),
                bitNames.map(names::type));
    }

    private JavaClass enumeration(Enumeration definition) {
        JavaName name = names.type(definition.name());
        if (!isOpen(definition)) {
            return new JavaClass.Enumeration(name, definition, constants(definition), aliases(definition));
        }
        return new JavaClass.OpenEnumeration(
                name,
                nested(name, KNOWN),
                nested(name, UNKNOWN),
                definition,
                constants(definition),
                aliases(definition));
    }

    /** A nested class, whose name must differ from that of its holder. */
    private static JavaName nested(JavaName holder, String name) {
        return holder.nested(holder.simpleName().equalsIgnoreCase(name) ? name + "Value" : name);
    }

    private boolean isOpen(Enumeration definition) {
        return binding.typeClauses().openEnums().contains(definition.name());
    }

    private void add(JavaClass made) {
        classes.put(made.definition().name(), made);
    }

    private List<Component> components(Structure structure) {
        NameScope scope = NameScope.ofComponents();
        List<Component> components = new ArrayList<>();
        for (Field field : protocol.withoutLink(structure)) {
            String name =
                    names.override(new Target.Item(structure.name(), field.name()), NameWords.camel(field.name()));
            components.add(new Component(scope.allowed(name), types.member(structure.name(), field), field));
        }
        return components;
    }

    private Discriminant discriminant(Union union) {
        Field field = union.discriminant();
        String name = names.override(new Target.Item(union.name(), field.name()), NameWords.camel(field.name()));
        Component component = new Component(NameScope.ofDiscriminant().allowed(name), types.discriminant(field), field);
        return protocol.definition(field.type()).orElse(null) instanceof Enumeration enumeration
                ? new Discriminant(component, constants(enumeration), isOpen(enumeration))
                : new Discriminant(component, Map.of(), false);
    }

    /** The constants of an enum by value. Cached, because an enum may be the discriminant of many unions. */
    private Map<Integer, String> constants(Enumeration enumeration) {
        return constants.computeIfAbsent(enumeration.name(), name -> {
            NameScope scope = constantsScope(enumeration);
            Map<Integer, String> made = new LinkedHashMap<>();
            enumeration
                    .enumerators()
                    .forEach(each -> made.put(each.value(), scope.allowed(names.constant(each.name()))));
            return made;
        });
    }

    private Map<String, Enumerator> aliases(Enumeration enumeration) {
        NameScope scope = constantsScope(enumeration);
        Map<String, Enumerator> aliases = new LinkedHashMap<>();
        enumeration.aliases().forEach(each -> aliases.put(scope.allowed(names.constant(each.name())), each));
        return aliases;
    }

    /** The names that constants cannot have. In an open enum, a constant with the name of a nested class would hide the class. */
    private NameScope constantsScope(Enumeration enumeration) {
        NameScope scope = NameScope.ofMembers("value", "in");
        if (!isOpen(enumeration)) {
            return scope;
        }
        JavaName name = names.type(enumeration.name());
        return scope.reserve(
                List.of(nested(name, KNOWN).simpleName(), nested(name, UNKNOWN).simpleName()));
    }

    private void add(Program program, Version version) {
        VersionBinding ofVersion = binding.versions().get(new Target.Version(program.name(), version.name()));
        if (ofVersion == null) {
            throw new IllegalArgumentException("no binding for " + program.name() + "." + version.name());
        }
        JavaName name = names.program(program, version);
        List<RemoteProcedure> procedures =
                new ProcedureNames(name, program, version, ofVersion, types, names).procedures();
        programs.add(new RemoteProgram(
                program,
                version,
                name,
                ofVersion,
                procedures,
                procedures.stream()
                        .flatMap(each -> operations(new Target.Version(program.name(), version.name()), each).stream())
                        .toList()));
    }

    private Optional<RemoteOperations> operations(Target.Version version, RemoteProcedure procedure) {
        String name = procedure.procedure().name();
        return Optional.ofNullable(
                        binding.operations().get(new Target.Procedure(version.program(), version.version(), name)))
                .map(match -> new OperationNames(procedure, match, this, names).operations());
    }
}
