// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.javamodel;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.emplace.compiler.binding.ChunkPlan.EligibleItem;
import org.emplace.compiler.binding.OperationMatch;
import org.emplace.compiler.javamodel.RemoteOperations.ArmStatus;
import org.emplace.compiler.javamodel.RemoteOperations.Operation;
import org.emplace.compiler.javamodel.RemoteOperations.Value;
import org.emplace.compiler.javamodel.RemoteProcedure.DestinationParameter;
import org.emplace.compiler.model.Target;
import org.emplace.compiler.model.TypeDefinition.CaseValue;

/** Names the operations of a procedure. */
final class OperationNames {
    /** The names of the methods that generated classes have themselves. */
    private static final NameScope METHODS = NameScope.ofMembers(
            "start", "await", "statusOf", "begin", "finish", "otherwise", "run", "answer", "server");

    /** A struct with more members stays a single parameter. */
    private static final int MOST_FLATTENED = 6;

    private final RemoteProcedure procedure;
    private final OperationMatch match;
    private final JavaModel model;
    private final ClassNames names;
    private final JavaClass.Union argument;
    private final JavaClass.Union result;
    private final JavaClass.Enumerated status;

    OperationNames(RemoteProcedure procedure, OperationMatch match, JavaModel model, ClassNames names) {
        this.procedure = procedure;
        this.match = match;
        this.model = model;
        this.names = names;
        this.argument =
                (JavaClass.Union) model.classOf(match.arguments().name()).orElseThrow();
        this.result = (JavaClass.Union) model.classOf(match.results().name()).orElseThrow();
        this.status = (JavaClass.Enumerated) model.classOf(match.status()).orElseThrow();
    }

    RemoteOperations operations() {
        JavaName program = procedure.programClass();
        String base = program.simpleName() + NameWords.withCapital(procedure.method());
        List<Component> arguments = components();
        return new RemoteOperations(
                procedure,
                JavaName.of(program.packageName(), base + "Call"),
                JavaName.of(program.packageName(), base + "Operations"),
                RemoteProgram.server(program),
                typeVariable("C"),
                arguments,
                arguments.stream().filter(this::isArray).findFirst().orElseThrow(),
                procedure.argumentRecord().orElseGet(() -> argumentStruct().name()),
                argument,
                resultArray(),
                result,
                status.name(),
                constant(match.success()),
                match.isWhole(),
                match.operations().stream().map(this::operation).toList(),
                result.arms().stream()
                        .flatMap(arm -> status(arm).map(path -> new ArmStatus(arm, path)).stream())
                        .toList());
    }

    /** A name for a type variable that hides no class of the package. */
    private String typeVariable(String proposed) {
        boolean isClass = model.allClasses().stream()
                .anyMatch(each -> each.name().simpleNames().get(0).equals(proposed));
        return isClass ? typeVariable(proposed + "_") : proposed;
    }

    /** The record of a struct, if the type is one. */
    private Optional<JavaClass.Structure> structure(JavaType type) {
        return model.classOf(type).filter(JavaClass.Structure.class::isInstance).map(JavaClass.Structure.class::cast);
    }

    /** The interface of a union, if the type is one. */
    private Optional<JavaClass.Union> union(JavaType type) {
        return model.classOf(type).filter(JavaClass.Union.class::isInstance).map(JavaClass.Union.class::cast);
    }

    private boolean isArray(Component component) {
        return component.field().name().equals(match.argumentArray());
    }

    private List<Component> components() {
        return procedure.argumentRecord().isPresent()
                ? procedure.parameters()
                : argumentStruct().components();
    }

    private JavaClass.Structure argumentStruct() {
        return structure(procedure.parameters().get(0).type()).orElseThrow();
    }

    private Component resultArray() {
        return procedure.result().flatMap(this::structure).orElseThrow().components().stream()
                .filter(each -> each.field().name().equals(match.resultArray()))
                .findFirst()
                .orElseThrow();
    }

    private String constant(int value) {
        String constant = status.constants().get(value);
        if (constant == null) {
            throw new IllegalArgumentException(
                    "no constant of " + status.definition().name() + " is " + value);
        }
        return constant;
    }

    private Operation operation(CaseValue label) {
        UnionArm asked = arm(argument, label.value()).orElseThrow();
        UnionArm answer = arm(result, label.value()).orElseThrow();
        Optional<JavaClass.Structure> struct = asked.value()
                .flatMap(each -> structure(each.type()))
                .filter(each -> each.components().size() <= MOST_FLATTENED);
        Optional<Component> content = asked.value().map(this::content);
        List<Component> parameters = struct.map(JavaClass.Structure::components)
                .orElseGet(() -> content.stream().toList());
        return new Operation(
                label.label(),
                label.value(),
                METHODS.allowed(method(label)),
                asked,
                content,
                parameters,
                struct.isPresent(),
                answer,
                value(answer),
                destinations(answer, parameters));
    }

    /** The parameter of a server's method. A struct is called {@code args}, as in the method of a procedure. */
    private Component content(Component value) {
        String name = structure(value.type()).isPresent() ? "args" : value.name();
        return new Component(name, value.type(), value.field());
    }

    /** The name of the method for a label: that of the arm. */
    private String method(CaseValue label) {
        String name = NameWords.decapitalized(ArmNames.named(label, names));
        return NameScope.isKeyword(name) ? name + "Operation" : name;
    }

    private static Optional<UnionArm> arm(JavaClass.Union union, long value) {
        Optional<UnionArm> listed = union.arms().stream()
                .filter(arm -> !arm.isDefault() && arm.values().contains(value))
                .findFirst();
        return listed.or(() -> union.arms().stream().filter(UnionArm::isDefault).findFirst());
    }

    /** The accessors that lead to the status of a result. */
    private Optional<List<String>> status(UnionArm arm) {
        return arm.value()
                .flatMap(value -> statusWithin(value.type())
                        .map(path -> Stream.concat(Stream.of(value.name()), path.stream())
                                .toList()));
    }

    private Optional<List<String>> statusWithin(JavaType type) {
        if (isStatus(type)) {
            return Optional.of(List.of());
        }
        Optional<Component> first = structure(type)
                .map(struct -> struct.components().get(0))
                .or(() -> union(type).map(union -> union.discriminant().component()));
        return first.filter(each -> isStatus(each.type())).map(each -> List.of(each.name()));
    }

    private boolean isStatus(JavaType type) {
        return type instanceof JavaType.Generated generated && generated.name().equals(status.name());
    }

    private Value value(UnionArm answer) {
        Optional<Component> whole = answer.value();
        if (whole.isEmpty() || statusWithin(whole.get().type()).isEmpty()) {
            return new Value(whole, Optional.empty());
        }
        JavaType type = whole.get().type();
        Optional<JavaClass.Union> union = union(type);
        if (union.isPresent()) {
            Optional<UnionArm> success = arm(union.get(), match.success());
            Optional<Component> brought = success.flatMap(UnionArm::value);
            return new Value(brought, brought.isPresent() ? success : Optional.empty());
        }
        boolean isStatusAlone =
                structure(type).map(struct -> struct.components().size() == 1).orElse(true);
        return new Value(isStatusAlone ? Optional.empty() : whole, Optional.empty());
    }

    private List<DestinationParameter> destinations(UnionArm answer, List<Component> parameters) {
        NameScope scope = NameScope.ofComponents()
                .reserve(parameters.stream().map(Component::name).toList());
        List<DestinationParameter> destinations = new ArrayList<>();
        List<EligibleItem> all = procedure.plan().payloads();
        for (int i = 0; i < all.size(); i++) {
            if (isIn(answer, all.get(i))) {
                Target.Item item = all.get(i).item();
                String name = scope.allowed(NameWords.camel(item.member()));
                scope = scope.reserve(List.of(name));
                destinations.add(new DestinationParameter(name, i, item.toString(), false));
            }
        }
        return List.copyOf(destinations);
    }

    private static boolean isIn(UnionArm answer, EligibleItem item) {
        return answer.value()
                .filter(value -> value.field().name().equals(item.path().get(2)))
                .isPresent();
    }
}
