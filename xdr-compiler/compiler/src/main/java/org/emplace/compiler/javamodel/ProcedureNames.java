// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.javamodel;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.emplace.compiler.binding.Binding.VersionBinding;
import org.emplace.compiler.binding.ChunkPlan;
import org.emplace.compiler.binding.ChunkPlan.EligibleItem;
import org.emplace.compiler.javamodel.RemoteProcedure.DestinationParameter;
import org.emplace.compiler.model.Program;
import org.emplace.compiler.model.Program.Procedure;
import org.emplace.compiler.model.Program.Version;
import org.emplace.compiler.model.Target;
import org.emplace.compiler.model.TypeDefinition.Field;
import org.emplace.compiler.model.XdrType;
import org.emplace.compiler.model.XdrType.Primitive;

/** Names the procedures of a version. */
final class ProcedureNames {
    /** The name that the parser gives to an unnamed first argument. */
    private static final String UNNAMED = "arg1";

    /** The name of a single argument that has neither a name nor a typedef. */
    private static final String ONLY = "args";

    private final JavaName programClass;
    private final Program program;
    private final Version version;
    private final VersionBinding ofVersion;
    private final JavaTypes javaTypes;
    private final ClassNames names;
    private final NameScope methods = NameScope.ofMembers("on", "options", "with", "service");
    private final NameScope constants = NameScope.ofMembers("GENERATION", "PROGRAM");

    ProcedureNames(
            JavaName programClass,
            Program program,
            Version version,
            VersionBinding ofVersion,
            JavaTypes javaTypes,
            ClassNames names) {
        this.programClass = programClass;
        this.program = program;
        this.version = version;
        this.ofVersion = ofVersion;
        this.javaTypes = javaTypes;
        this.names = names;
    }

    List<RemoteProcedure> procedures() {
        return version.procedures().stream().map(this::procedure).toList();
    }

    /** The name without the clause's prefix, or else without the program's name. It never depends on the names of other procedures. */
    private String shortName(Procedure procedure) {
        String name = procedure.name();
        return names.prefix(new Target.Version(program.name(), version.name()))
                .map(prefix -> NameWords.without(prefix, name))
                .orElseGet(() -> NameWords.withoutProgram(ClassNames.withoutSuffix(program.name()), name));
    }

    private RemoteProcedure procedure(Procedure procedure) {
        Optional<String> given = names.override(new Target.Procedure(program.name(), version.name(), procedure.name()));
        String shortName = given.orElseGet(() -> shortName(procedure));
        ChunkPlan plan = ofVersion.plan(procedure);
        List<Component> parameters = parameters(procedure);
        Optional<JavaName> argumentRecord =
                parameters.size() > 1 ? Optional.of(nested(shortName, "Args")) : Optional.empty();
        // Two lists as parameters could be confused: the compiler would not notice.
        boolean needsRecord =
                plan.payloads().stream().filter(EligibleItem::isRepeated).count() > 1;
        NameScope destinationNames = needsRecord
                ? NameScope.ofComponents("anywhere", "byItem")
                : NameScope.ofMembers(ONLY, "options", "connection", "destinations")
                        .reserve(parameters.stream().map(Component::name).toList());
        String name = given.orElseGet(() -> NameWords.method(shortName));
        return new RemoteProcedure(
                procedure,
                programClass,
                constants.allowed(NameWords.constant(shortName)),
                methods.allowed(name),
                methods.allowed(name + "Async"),
                parameters,
                argumentRecord,
                result(procedure),
                destinations(plan, destinationNames),
                needsRecord ? Optional.of(nested(shortName, "Destinations")) : Optional.empty(),
                plan);
    }

    private List<Component> parameters(Procedure procedure) {
        List<XdrType> types = procedure.arguments().stream()
                .filter(type -> type != Primitive.VOID)
                .toList();
        List<Component> parameters = new ArrayList<>();
        NameScope scope = NameScope.ofComponents(ONLY, "call", "options", "connection", "destinations");
        for (XdrType type : types) {
            String xdrName = procedure.argumentNames().get(parameters.size());
            boolean isUnnamed = types.size() == 1 && xdrName.equals(UNNAMED);
            String name = isUnnamed
                    ? javaTypes
                            .alias(type)
                            .map(NameWords::camel)
                            .map(scope::allowed)
                            .orElse(ONLY)
                    : scope.allowed(NameWords.camel(xdrName));
            scope = scope.reserve(List.of(name));
            parameters.add(new Component(name, javaTypes.of(type), new Field(xdrName, type, "", procedure.origin())));
        }
        return parameters;
    }

    private JavaName nested(String shortName, String suffix) {
        return programClass.nested(NameScope.ofClasses().allowed(NameWords.capitalized(shortName) + suffix));
    }

    private Optional<JavaType> result(Procedure procedure) {
        return procedure.result() == Primitive.VOID ? Optional.empty() : Optional.of(javaTypes.of(procedure.result()));
    }

    private List<DestinationParameter> destinations(ChunkPlan plan, NameScope names) {
        NameScope scope = names;
        List<DestinationParameter> destinations = new ArrayList<>();
        for (EligibleItem item : plan.payloads()) {
            String name = scope.allowed(NameWords.camel(distinct(item, plan.payloads())));
            scope = scope.reserve(List.of(name));
            destinations.add(new DestinationParameter(
                    name, destinations.size(), shown(item, plan.payloads()), item.isRepeated()));
        }
        return List.copyOf(destinations);
    }

    /** The member's name, or the names of all members that lead to it where several items have this one. */
    private static String distinct(EligibleItem item, List<EligibleItem> all) {
        String member = item.item().member();
        boolean isOnly =
                all.stream().filter(each -> each.item().member().equals(member)).count() == 1;
        return isOnly ? member : item.place().replace("[]", "").replace('.', '_');
    }

    /** An item of the results by its type, or by the way to it where there is more than one. */
    private static String shown(EligibleItem item, List<EligibleItem> all) {
        boolean isOnly =
                all.stream().filter(each -> each.item().equals(item.item())).count() == 1;
        return isOnly ? item.item().toString() : item.place();
    }
}
