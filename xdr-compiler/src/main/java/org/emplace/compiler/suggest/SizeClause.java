// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.suggest;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.emplace.compiler.model.Program;
import org.emplace.compiler.model.Protocol;
import org.emplace.compiler.model.TypeDefinition;
import org.emplace.compiler.model.XdrType;
import org.emplace.compiler.model.XdrType.Primitive;

/**
 * Guesses which argument states the size of a result: the only number with a name such as {@code count}, {@code maxsize} or {@code len}. The
 * requester offers a Write chunk of this size before it knows the result.
 */
record SizeClause(Protocol protocol) {

    /** The clause for a size without a bound. */
    static final String UNBOUNDED = "size unbounded";

    private static final String ARGUMENTS = "args";
    private static final Pattern OF_A_SIZE = Pattern.compile("(?i)count|size|len|max|limit|bytes");

    /** The clause for a result of some procedures. Its argument exists in each of them. */
    String of(List<ItemUse> results) {
        List<Optional<String>> paths = results.stream()
                .map(use -> use.isRepeated() ? Optional.<String>empty() : path(use.procedure()))
                .distinct()
                .toList();
        return paths.size() == 1 ? paths.get(0).map(path -> "size " + path).orElse(UNBOUNDED) : UNBOUNDED;
    }

    private Optional<String> path(Program.Procedure procedure) {
        List<String> paths;
        if (procedure.arguments().size() == 1) {
            paths = protocol.definition(procedure.arguments().get(0)).orElse(null)
                            instanceof TypeDefinition.Structure structure
                    ? structure.fields().stream()
                            .filter(field -> isSize(field.name(), field.type()))
                            .map(TypeDefinition.Field::name)
                            .toList()
                    : List.of();
        } else {
            paths = IntStream.range(0, procedure.arguments().size())
                    .filter(i -> isSize(
                            procedure.argumentNames().get(i),
                            procedure.arguments().get(i)))
                    .mapToObj(procedure.argumentNames()::get)
                    .toList();
        }
        return paths.size() == 1 ? Optional.of(ARGUMENTS + "." + paths.get(0)) : Optional.empty();
    }

    private boolean isSize(String name, XdrType type) {
        XdrType resolved = protocol.resolve(type);
        return OF_A_SIZE.matcher(name).find() && (resolved == Primitive.INT || resolved == Primitive.UNSIGNED_INT);
    }
}
