// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.suggest;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.emplace.compiler.model.Program;
import org.emplace.compiler.model.Protocol;
import org.emplace.compiler.model.TypeDefinition;
import org.emplace.compiler.model.XdrType;
import org.emplace.compiler.model.XdrType.Primitive;

/**
 * Guesses which argument states the size of a result in bytes: the only number with a name such as {@code count}, {@code maxsize} or {@code len}. The
 * requester offers a Write chunk of this size before it knows the result, so a call fails if the result is larger. Where the number may be about
 * something else, the size is unbounded.
 */
record SizeClause(Protocol protocol) {

    /** The clause for a size without a bound. */
    static final String UNBOUNDED = "size unbounded";

    /** What comes before the size in a clause. */
    static final String KEYWORD = "size ";

    private static final String ARGUMENTS = "args";

    /** The beginning of a clause for a size that an argument states. */
    static final String OF_ARGUMENT = KEYWORD + ARGUMENTS;

    /** Names of a number of bytes, without underscores. A size of something, such as {@code datasize} or {@code blocksize}, is not that of a result. */
    private static final Pattern OF_A_SIZE = Pattern.compile(
            "(?:max|maximum|buf|buffer|read|req|request|requested|reply|result|n|num|byte)*(?:count|size|len|length|bytes)");

    /** The prefix of members' names in C, such as that of {@code ra_count}. */
    private static final Pattern PREFIX = Pattern.compile("^[a-z]{1,2}_");

    /** The most bytes of a handle or the like. What can be larger is data, which a number beside it may be about. */
    private static final long LARGEST_HANDLE = 1024;

    /** The clause for a result of some procedures. Its argument exists in each of them. */
    String of(XdrType type, List<ItemUse> results) {
        boolean countsBytes = protocol.resolve(type) instanceof XdrType.Bytes;
        List<Optional<String>> paths = results.stream()
                .map(use -> use.isRepeated() || !countsBytes ? Optional.<String>empty() : path(use.procedure()))
                .distinct()
                .toList();
        return paths.size() == 1 ? paths.get(0).map(path -> KEYWORD + path).orElse(UNBOUNDED) : UNBOUNDED;
    }

    private Optional<String> path(Program.Procedure procedure) {
        List<String> names = procedure.argumentNames();
        List<XdrType> types = procedure.arguments();
        if (types.size() == 1) {
            List<TypeDefinition.Field> fields =
                    protocol.definition(types.get(0)).orElse(null) instanceof TypeDefinition.Structure structure
                            ? structure.fields()
                            : List.of();
            names = fields.stream().map(TypeDefinition.Field::name).toList();
            types = fields.stream().map(TypeDefinition.Field::type).toList();
        }
        return only(names, types).map(name -> ARGUMENTS + "." + name);
    }

    /** The only size among some values. Empty if data follows it, or if there is data at all, which it may be about. */
    private Optional<String> only(List<String> names, List<XdrType> types) {
        List<Integer> sizes = IntStream.range(0, names.size())
                .filter(i -> isSize(names.get(i), types.get(i)))
                .boxed()
                .toList();
        if (sizes.size() != 1) {
            return Optional.empty();
        }
        int at = sizes.get(0);
        boolean isAboutArguments = IntStream.range(0, types.size())
                .anyMatch(i -> holds(types.get(i), new HashSet<>(), i > at ? this::isVariable : this::isData));
        return isAboutArguments ? Optional.empty() : Optional.of(names.get(at));
    }

    private boolean isSize(String name, XdrType type) {
        String words = PREFIX.matcher(name).replaceFirst("").replace("_", "").toLowerCase(Locale.ROOT);
        XdrType resolved = protocol.resolve(type);
        return OF_A_SIZE.matcher(words).matches() && (resolved == Primitive.INT || resolved == Primitive.UNSIGNED_INT);
    }

    private boolean isVariable(XdrType type) {
        return type instanceof XdrType.VariableOpaque
                || type instanceof XdrType.StringType
                || type instanceof XdrType.VariableArray;
    }

    /** Whether a type is for data. A string is usually a name. */
    private boolean isData(XdrType type) {
        return (type instanceof XdrType.VariableOpaque opaque && opaque.max() > LARGEST_HANDLE)
                || type instanceof XdrType.VariableArray;
    }

    /** Whether a type, or one in it, is of some kind. */
    private boolean holds(XdrType type, Set<String> entered, Predicate<XdrType> kind) {
        XdrType resolved = protocol.resolve(type);
        if (kind.test(resolved)) {
            return true;
        } else if (resolved instanceof XdrType.Array array) {
            return holds(array.element(), entered, kind);
        } else if (resolved instanceof XdrType.Optional optional) {
            return holds(optional.element(), entered, kind);
        }
        return resolved instanceof XdrType.Reference reference
                && entered.add(reference.name())
                && protocol.type(reference.name()).members().stream()
                        .anyMatch(field -> holds(field.type(), entered, kind));
    }
}
