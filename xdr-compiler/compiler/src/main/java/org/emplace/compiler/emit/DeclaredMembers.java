// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.emit;

import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.ParameterSpec;
import com.palantir.javapoet.TypeSpec;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import javax.lang.model.element.Modifier;
import org.emplace.compiler.emit.mappings.Mapping;
import org.emplace.compiler.emit.programs.DestinationsEmitter;
import org.emplace.compiler.javamodel.Component;
import org.emplace.compiler.javamodel.JavaClass;
import org.emplace.compiler.javamodel.JavaModel;
import org.emplace.compiler.javamodel.JavaName;
import org.emplace.compiler.javamodel.RemoteProcedure;
import org.emplace.compiler.javamodel.RemoteProgram;
import org.emplace.compiler.javamodel.UnionArm;

/** The members of generated classes that other code can use, without their bodies. They come from the classes that {@link Emitter} writes. */
public final class DeclaredMembers {
    /** A component of a record. */
    private record Part(String type, String name) {}

    private final Map<JavaName, List<Part>> ofRecords = new HashMap<>();
    private final SortedMap<String, SortedSet<String>> members = new TreeMap<>();

    private DeclaredMembers(JavaModel model) {
        model.classes().forEach(this::addRecords);
        model.programs().forEach(this::addRecords);
    }

    /** The declared members of each class by the class's name. A class without members has its own declaration as its only member. */
    public static SortedMap<String, SortedSet<String>> of(JavaModel model) {
        DeclaredMembers declared = new DeclaredMembers(model);
        Emitter.classes(model).forEach((name, type) -> declared.add(name, type, false));
        return Collections.unmodifiableSortedMap(declared.members);
    }

    /** Finds the components of records, because JavaPoet does not report those that it was given. */
    private void addRecords(JavaClass type) {
        if (type instanceof JavaClass.Structure structure) {
            addRecord(structure.name(), structure.components());
        } else if (type instanceof JavaClass.Value value) {
            addRecord(value.name(), List.of(value.component()));
        } else if (type instanceof JavaClass.OpenEnumeration enumeration) {
            ofRecords.put(enumeration.unknown(), List.of(new Part("int", "value")));
        } else if (type instanceof JavaClass.Union union) {
            for (UnionArm arm : union.arms()) {
                addRecord(arm.name(), arm.components(union.discriminant()));
            }
        }
    }

    private void addRecords(RemoteProgram program) {
        for (RemoteProcedure procedure : program.procedures()) {
            procedure.argumentRecord().ifPresent(name -> addRecord(name, procedure.parameters()));
            procedure
                    .destinationsRecord()
                    .ifPresent(name -> ofRecords.put(
                            name,
                            procedure.destinations().stream()
                                    .map(each -> new Part(
                                            DestinationsEmitter.parameter(each)
                                                    .type()
                                                    .toString(),
                                            each.name()))
                                    .toList()));
        }
    }

    private void addRecord(JavaName name, List<Component> components) {
        ofRecords.put(
                name,
                components.stream()
                        .map(each -> new Part(Mapping.of(each.type()).type().toString(), each.name()))
                        .toList());
    }

    private void add(JavaName name, TypeSpec type, boolean isInInterface) {
        if (!isInInterface && !type.modifiers().contains(Modifier.PUBLIC)) {
            return;
        }
        SortedSet<String> declared = new TreeSet<>();
        String self = String.join(".", name.simpleNames());
        declared.add(type.kind().toString().toLowerCase(Locale.ROOT) + " " + self);
        type.superinterfaces().forEach(each -> declared.add("implements " + each));
        declared.addAll(type.enumConstants().keySet());
        type.fieldSpecs().stream()
                .filter(each -> each.modifiers().contains(Modifier.PUBLIC))
                .forEach(each -> declared.add(each.type() + " " + each.name()));
        boolean isInterface = type.kind() == TypeSpec.Kind.INTERFACE;
        type.methodSpecs().stream()
                .filter(each -> isInterface || each.modifiers().contains(Modifier.PUBLIC))
                .forEach(each -> declared.add(declaration(each)));
        if (type.kind() == TypeSpec.Kind.RECORD) {
            List<Part> parts = Objects.requireNonNull(ofRecords.get(name), name::toString);
            declared.add(parts.stream().map(Part::type).collect(Collectors.joining(", ", "new " + self + "(", ")")));
            parts.forEach(each -> declared.add(each.type() + " " + each.name() + "()"));
        }
        members.put(self, declared);
        type.typeSpecs().forEach(each -> add(name.nested(each.name()), each, isInterface));
    }

    private static String declaration(MethodSpec method) {
        return method.parameters().stream()
                .map(ParameterSpec::type)
                .map(Object::toString)
                .collect(Collectors.joining(", ", method.returnType() + " " + method.name() + "(", ")"));
    }
}
