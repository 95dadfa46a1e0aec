// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.link;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.emplace.compiler.link.Linker.Linked;
import org.emplace.compiler.model.Program;
import org.emplace.compiler.model.Protocol;
import org.emplace.compiler.model.Target;
import org.emplace.compiler.model.TypeDefinition;
import org.emplace.compiler.model.TypeUse;
import org.emplace.compiler.model.XdrType;

/**
 * The part of a protocol without erroneous definitions and those that use them. Clauses on this part can still be checked.
 *
 * @param inError types, versions and procedures that have errors themselves
 */
record SoundPart(Protocol protocol, Set<Target> inError) {

    Linked of(List<Linked.PlacedClause> clauses) {
        Map<String, TypeDefinition> types = types();
        List<Program> programs = protocol.programs().stream()
                .map(program -> new Program(
                        program.name(),
                        program.number(),
                        program.versions().stream()
                                .filter(version ->
                                        !inError.contains(new Target.Version(program.name(), version.name())))
                                .map(version -> version(program, version, types))
                                .toList(),
                        program.documentation(),
                        program.origin()))
                .toList();
        Protocol sound = new Protocol(protocol.constants(), types, programs, protocol.imports());
        Set<Target> targets = new HashSet<>();
        types.keySet().forEach(name -> targets.add(new Target.Type(name)));
        programs.forEach(program -> program.versions().forEach(version -> {
            targets.add(new Target.Version(program.name(), version.name()));
            version.procedures()
                    .forEach(each -> targets.add(new Target.Procedure(program.name(), version.name(), each.name())));
        }));
        return new Linked(
                sound,
                clauses.stream()
                        .filter(each -> targets.contains(
                                each.target() instanceof Target.Item item
                                        ? new Target.Type(item.type())
                                        : each.target()))
                        .toList());
    }

    private Map<String, TypeDefinition> types() {
        Map<String, List<String>> users = new HashMap<>();
        protocol.types()
                .forEach((name, type) -> TypeUse.of(type)
                        .forEach(use -> users.computeIfAbsent(use.type(), any -> new ArrayList<>())
                                .add(name)));
        Map<String, TypeDefinition> sound = new LinkedHashMap<>(protocol.types());
        Deque<String> left = new ArrayDeque<>(protocol.types().keySet());
        left.removeIf(name -> !inError.contains(new Target.Type(name)));
        while (!left.isEmpty()) {
            String name = left.remove();
            if (sound.remove(name) != null) {
                left.addAll(users.getOrDefault(name, List.of()));
            }
        }
        return sound;
    }

    private Program.Version version(Program program, Program.Version version, Map<String, TypeDefinition> types) {
        return new Program.Version(
                version.name(),
                version.number(),
                version.procedures().stream()
                        .filter(each -> isSound(program, version, each, types))
                        .toList(),
                version.documentation(),
                version.origin());
    }

    private boolean isSound(
            Program program, Program.Version version, Program.Procedure procedure, Map<String, TypeDefinition> types) {
        Stream<XdrType> used = Stream.concat(procedure.arguments().stream(), Stream.of(procedure.result()));
        return !inError.contains(new Target.Procedure(program.name(), version.name(), procedure.name()))
                && used.flatMap(type -> TypeUse.of(type).stream()).allMatch(use -> types.containsKey(use.type()));
    }
}
