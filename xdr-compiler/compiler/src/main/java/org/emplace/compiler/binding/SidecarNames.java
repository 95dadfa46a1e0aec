// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.binding;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.diagnostic.Spelling;
import org.emplace.compiler.model.Protocol;
import org.emplace.compiler.model.Target;
import org.emplace.compiler.model.TypeDefinition;
import org.emplace.compiler.model.XdrType;
import org.emplace.compiler.syntax.Name;
import org.emplace.compiler.syntax.Sidecar;

/** Resolves the names in the entries of a sidecar. Reports names that do not exist. */
record SidecarNames(Protocol protocol, Diagnostics diagnostics) {

    /** An item at a place in a procedure. */
    record Path(Target.Procedure procedure, Direction direction, List<String> members, Target.Item item) {}

    /** Whether names form the path of an item in a procedure: {@code PROCEDURE.results.member}. */
    boolean isPath(List<Name> names) {
        return names.stream().skip(1).limit(3).anyMatch(name -> direction(name).isPresent())
                && !protocol.types().containsKey(names.get(0).text());
    }

    Optional<Target> target(Sidecar.Entry entry) {
        List<Name> names = entry.path();
        List<Target> found = switch (entry.kind()) {
            case ITEM -> items(names);
            case TYPE -> types(names);
            case CONSTANT -> constants(names);
            case VERSION -> versions(names);
            case PROCEDURE -> new ArrayList<>(procedures(names));
        };
        return one(found, names, entry.kind());
    }

    Optional<Path> path(List<Name> names) {
        // A procedure's name comes first, even if it is the word of a direction.
        int at = 1;
        while (direction(names.get(at)).isEmpty()) {
            at++;
        }
        Direction direction = direction(names.get(at)).orElseThrow();
        List<Name> members = names.subList(at + 1, names.size());
        Optional<Target.Procedure> procedure =
                one(procedures(names.subList(0, at)), names.subList(0, at), Sidecar.Kind.PROCEDURE);
        return procedure.flatMap(found -> item(found, direction, members)
                .map(item -> new Path(
                        found, direction, members.stream().map(Name::text).toList(), item)));
    }

    private Optional<Target.Item> item(Target.Procedure target, Direction direction, List<Name> members) {
        List<XdrType> roots = roots(target, direction);
        Optional<Target.Item> item = Optional.empty();
        for (Name member : members) {
            Optional<TypeDefinition> holder = roots.stream()
                    .flatMap(root -> protocol.within(root).stream())
                    .filter(definition -> definition.member(member.text()).isPresent())
                    .findFirst();
            if (holder.isEmpty()) {
                String message = "the " + direction.items() + " of `" + target.procedure() + "` have no `"
                        + member.text() + "` here";
                diagnostics.report(Diagnostic.error("E306", member.span(), message)
                        .hint(Spelling.hint(member.text(), members(roots))));
                return Optional.empty();
            }
            item = Optional.of(new Target.Item(holder.get().name(), member.text()));
            roots = List.of(holder.get().member(member.text()).orElseThrow().type());
        }
        return item;
    }

    private List<XdrType> roots(Target.Procedure target, Direction direction) {
        return protocol.programs().stream()
                .filter(program -> program.name().equals(target.program()))
                .flatMap(program -> program.versions().stream())
                .filter(version -> version.name().equals(target.version()))
                .flatMap(version -> version.procedures().stream())
                .filter(procedure -> procedure.name().equals(target.procedure()))
                .flatMap(procedure -> direction == Direction.ARGUMENTS
                        ? procedure.arguments().stream()
                        : List.of(procedure.result()).stream())
                .toList();
    }

    private List<Target> items(List<Name> names) {
        Name member = names.get(names.size() - 1);
        TypeDefinition definition = protocol.types().get(joined(names.subList(0, names.size() - 1)));
        return definition == null || definition.member(member.text()).isEmpty()
                ? List.of()
                : List.of(new Target.Item(definition.name(), member.text()));
    }

    private List<Target> types(List<Name> names) {
        String name = joined(names);
        return protocol.types().containsKey(name) ? List.of(new Target.Type(name)) : List.of();
    }

    private List<Target> constants(List<Name> names) {
        String name = names.get(0).text();
        return names.size() == 1 && protocol.constantNames().anyMatch(name::equals)
                ? List.of(new Target.Constant(name))
                : List.of();
    }

    private List<Target> versions(List<Name> names) {
        return versions()
                .filter(each -> endsWith(names, List.of(each.program(), each.version())))
                .map(Target.class::cast)
                .toList();
    }

    private List<Target.Procedure> procedures(List<Name> names) {
        return procedures()
                .filter(each -> endsWith(names, List.of(each.program(), each.version(), each.procedure())))
                .toList();
    }

    private Stream<Target.Version> versions() {
        return protocol.programs().stream()
                .flatMap(program ->
                        program.versions().stream().map(version -> new Target.Version(program.name(), version.name())));
    }

    private Stream<Target.Procedure> procedures() {
        return protocol.programs().stream()
                .flatMap(program -> program.versions().stream()
                        .flatMap(version -> version.procedures().stream()
                                .map(each -> new Target.Procedure(program.name(), version.name(), each.name()))));
    }

    /** Whether the given names are the last names of a full name. They may be all of it, or as many as make it unique. */
    private static boolean endsWith(List<Name> names, List<String> full) {
        List<String> given = names.stream().map(Name::text).toList();
        return given.size() <= full.size()
                && full.subList(full.size() - given.size(), full.size()).equals(given);
    }

    private static String joined(List<Name> names) {
        return names.stream().map(Name::text).collect(Collectors.joining("."));
    }

    private <T> Optional<T> one(List<T> found, List<Name> names, Sidecar.Kind kind) {
        if (found.size() == 1) {
            return Optional.of(found.get(0));
        }
        String written = joined(names);
        String what = kind.name().toLowerCase(Locale.ROOT) + " `" + written + "`";
        String message = found.isEmpty() ? "there is no " + what : "there is more than one " + what;
        diagnostics.report(Diagnostic.error("E306", names.get(0).span(), message)
                .hint(
                        found.isEmpty()
                                ? Spelling.hint(written, known(kind, names.size()))
                                        .orElse("use the names of the XDR file")
                                : "write the version, or program and version, before it"));
        return Optional.empty();
    }

    /** The names of this length that entries of a kind could have. */
    private List<String> known(Sidecar.Kind kind, int length) {
        Stream<List<String>> all = switch (kind) {
            case ITEM ->
                protocol.types().values().stream()
                        .flatMap(type -> type.members().stream().map(field -> List.of(type.name(), field.name())));
            case TYPE -> protocol.types().keySet().stream().map(List::of);
            case CONSTANT -> protocol.constantNames().map(List::of);
            case VERSION -> versions().map(version -> List.of(version.program(), version.version()));
            case PROCEDURE -> procedures().map(each -> List.of(each.program(), each.version(), each.procedure()));
        };
        return all.filter(names -> names.size() >= length)
                .map(names -> String.join(".", names.subList(names.size() - length, names.size())))
                .toList();
    }

    private List<String> members(List<XdrType> roots) {
        return roots.stream()
                .flatMap(root -> protocol.within(root).stream())
                .flatMap(definition -> definition.members().stream())
                .map(TypeDefinition.Field::name)
                .toList();
    }

    private static Optional<Direction> direction(Name name) {
        for (Direction direction : Direction.values()) {
            if (direction.word().equals(name.text())) {
                return Optional.of(direction);
            }
        }
        return Optional.empty();
    }
}
