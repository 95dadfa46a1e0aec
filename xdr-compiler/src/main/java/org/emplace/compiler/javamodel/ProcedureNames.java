// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.javamodel;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.emplace.compiler.binding.Binding;
import org.emplace.compiler.binding.Binding.VersionBinding;
import org.emplace.compiler.binding.ChunkPlan;
import org.emplace.compiler.binding.ChunkPlan.EligibleItem;
import org.emplace.compiler.model.Program;
import org.emplace.compiler.model.Program.Procedure;
import org.emplace.compiler.model.Program.Version;
import org.emplace.compiler.model.Target;
import org.emplace.compiler.model.TypeDefinition.Field;
import org.emplace.compiler.model.XdrType;
import org.emplace.compiler.model.XdrType.Primitive;

/** Makes the procedures of one version. */
final class ProcedureNames {
    private final JavaName programClass;
    private final Program program;
    private final Version version;
    private final VersionBinding ofVersion;
    private final Binding binding;
    private final JavaTypes javaTypes;
    private final ClassNames names;
    private final NameScope methods = NameScope.ofMembers("on", "service");
    private final NameScope constants;
    private final NameScope records = NameScope.ofClasses();

    ProcedureNames(
            JavaName programClass,
            Program program,
            Version version,
            VersionBinding ofVersion,
            Binding binding,
            JavaTypes javaTypes,
            ClassNames names) {
        this.programClass = programClass;
        this.program = program;
        this.version = version;
        this.ofVersion = ofVersion;
        this.binding = binding;
        this.javaTypes = javaTypes;
        this.names = names;
        this.constants = NameScope.ofMembers("PROGRAM", "VERSION", "RDMA_PORT", "INLINE_THRESHOLD", "NOTHING")
                .reserve(names.typeNames());
    }

    List<RemoteProcedure> procedures() {
        return version.procedures().stream().map(this::procedure).toList();
    }

    /** Without what the clause says, or else without the name of the program: never by what the other procedures are named. */
    private String shortName(Procedure procedure) {
        String name = procedure.name();
        return names.prefix(new Target.Version(program.name(), version.name()))
                .map(prefix -> NameWords.without(prefix, name))
                .orElseGet(() -> NameWords.withoutProgram(ClassNames.withoutSuffix(program.name()), name));
    }

    private RemoteProcedure procedure(Procedure procedure) {
        String shortName = shortName(procedure);
        ChunkPlan plan = ofVersion.procedures().get(procedure.name());
        if (plan == null) {
            throw new IllegalArgumentException("no chunk plan for " + procedure.name());
        }
        List<Component> parameters = parameters(procedure);
        Optional<JavaName> argumentRecord =
                parameters.size() > 1 ? Optional.of(argumentRecord(shortName)) : Optional.empty();
        String name = names.override(
                new Target.Procedure(program.name(), version.name(), procedure.name()), NameWords.method(shortName));
        return new RemoteProcedure(
                procedure,
                programClass,
                constants.claim(NameWords.constant(shortName)),
                methods.claim(name),
                methods.claim(name + "Async"),
                parameters,
                argumentRecord,
                result(procedure),
                destinations(plan, parameters),
                plan);
    }

    private List<Component> parameters(Procedure procedure) {
        List<XdrType> types = procedure.arguments().stream()
                .filter(type -> type != Primitive.VOID)
                .toList();
        List<Component> parameters = new ArrayList<>();
        NameScope scope = NameScope.ofComponents("args", "call", "options", "connection", "defaults", "destinations");
        for (XdrType type : types) {
            String xdrName = procedure.argumentNames().get(parameters.size());
            String name = types.size() == 1 ? "args" : scope.claim(NameWords.camel(xdrName));
            parameters.add(new Component(name, javaTypes.of(type), new Field(xdrName, type, "", procedure.origin())));
        }
        return parameters;
    }

    private JavaName argumentRecord(String shortName) {
        String name = NameWords.capitalised(shortName) + "Args";
        return programClass.nested(records.claim(names.isTaken(name) ? name + "_" : name));
    }

    private Optional<JavaType> result(Procedure procedure) {
        return procedure.result() == Primitive.VOID ? Optional.empty() : Optional.of(javaTypes.of(procedure.result()));
    }

    private List<RemoteProcedure.DestinationParameter> destinations(ChunkPlan plan, List<Component> parameters) {
        NameScope scope = NameScope.ofMembers("args", "options", "connection", "defaults", "destinations")
                .reserve(parameters.stream().map(Component::name).toList());
        if (plan.results().size() > 1 && plan.results().stream().allMatch(this::isPlacedPerElement)) {
            String items = plan.results().stream()
                    .map(each -> each.item().toString())
                    .distinct()
                    .collect(Collectors.joining(", "));
            return List.of(new RemoteProcedure.DestinationParameter(Optional.of(scope.claim("results")), items, true));
        }
        List<RemoteProcedure.DestinationParameter> destinations = new ArrayList<>();
        for (EligibleItem item : plan.results()) {
            Optional<String> name = binding.payloadItems().contains(item.item())
                    ? Optional.of(scope.claim(NameWords.camel(item.item().member())))
                    : Optional.empty();
            destinations.add(new RemoteProcedure.DestinationParameter(
                    name, item.item().toString(), item.path().contains("[]")));
        }
        return destinations;
    }

    /** Several of them come in the order of the elements, not one kind after the other. */
    private boolean isPlacedPerElement(EligibleItem item) {
        return binding.payloadItems().contains(item.item()) && item.path().contains("[]");
    }
}
