// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.link;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.diagnostic.Extension;
import org.emplace.compiler.diagnostic.Spelling;
import org.emplace.compiler.model.Protocol.Constant;
import org.emplace.compiler.model.Target;
import org.emplace.compiler.model.XdrType;
import org.emplace.compiler.preprocess.LinesForC;
import org.emplace.compiler.source.Span;
import org.emplace.compiler.syntax.Definition;
import org.emplace.compiler.syntax.Name;
import org.emplace.compiler.syntax.TypeSyntax;
import org.emplace.compiler.syntax.Value;
import org.jspecify.annotations.Nullable;

/**
 * Pass 3: computes the numbers of constants and enumerators, which share one scope. Where they do not define a name, it may be that of a program, a
 * version or a procedure, as in rpcgen.
 */
final class Values {

    private static final Map<String, BigInteger> BOOL = Map.of("FALSE", BigInteger.ZERO, "TRUE", BigInteger.ONE);
    private static final BigInteger LEAST_HYPER = BigInteger.valueOf(Long.MIN_VALUE);
    private static final BigInteger MOST_UNSIGNED_HYPER =
            BigInteger.ONE.shiftLeft(Long.SIZE).subtract(BigInteger.ONE);

    /** What a name stands for: a number, or the number of another name plus an offset. Has no number if its definition is in error. */
    private record Entry(Span span, Optional<BigInteger> number, Optional<Value.Named> other, BigInteger plus) {}

    /**
     * The name of a program, a version or a procedure.
     *
     * @param what it names
     * @param different the place where something with another number has the same name
     */
    private record ProgramName(String what, Value value, Entry entry, Optional<Span> different) {

        static ProgramName of(String what, Name name, Value value) {
            return new ProgramName(
                    what,
                    value,
                    value instanceof Value.Named other
                            ? new Entry(name.span(), Optional.empty(), Optional.of(other), BigInteger.ZERO)
                            : new Entry(
                                    name.span(),
                                    Optional.of(((Value.Literal) value).number()),
                                    Optional.empty(),
                                    BigInteger.ZERO),
                    Optional.empty());
        }

        /** This name, which is given again. */
        ProgramName and(ProgramName again) {
            boolean isSame = entry.number().equals(again.entry.number())
                    && (entry.number().isPresent() || value.text().equals(again.value.text()));
            return isSame ? this : new ProgramName(what, value, entry, Optional.of(again.entry.span()));
        }
    }

    private final Map<String, Entry> entries = new HashMap<>();
    private final Map<String, ProgramName> ofPrograms = new HashMap<>();
    private final Map<String, Optional<BigInteger>> known = new HashMap<>();
    private final Set<String> repeated = new HashSet<>();
    private final Map<String, Definition.Constant> constants = new LinkedHashMap<>();
    private final Diagnostics diagnostics;
    private LinesForC linesForC = LinesForC.NONE;

    private Values(Diagnostics diagnostics) {
        this.diagnostics = diagnostics;
    }

    static Values of(List<Definition> definitions, Diagnostics diagnostics) {
        Values values = new Values(diagnostics);
        for (Definition definition : definitions) {
            if (definition instanceof Definition.Constant constant) {
                if (values.define(constant.name(), Optional.of(constant.value()))) {
                    values.constants.put(constant.name().text(), constant);
                }
            } else if (definition instanceof Definition.Type type
                    && type.body() instanceof TypeSyntax.Enumeration body) {
                values.define(body.enumerators());
            } else if (definition instanceof Definition.Program program) {
                values.define(program);
            }
        }
        BOOL.keySet().stream().sorted().forEach(values::requireValueOfBool);
        return values;
    }

    /** Sets what defines names only for C. */
    void fallBackOn(LinesForC lines) {
        linesForC = lines;
    }

    /** The constants, in order of definition. */
    List<Constant> constants() {
        List<Constant> result = new ArrayList<>();
        constants.values().forEach(constant -> add(constant.name(), constant.documentation(), result));
        return List.copyOf(result);
    }

    private void add(Name name, String documentation, List<Constant> to) {
        number(name.text())
                .filter(number -> isOf64Bits(name, number))
                .ifPresent(number -> to.add(new Constant(name.text(), number, documentation, name.span())));
    }

    private boolean isOf64Bits(Name name, BigInteger number) {
        boolean fits = number.compareTo(LEAST_HYPER) >= 0 && number.compareTo(MOST_UNSIGNED_HYPER) <= 0;
        if (!fits) {
            diagnostics.report(Diagnostic.error(
                    "E205",
                    name.span(),
                    "`" + name.text() + "` is " + number + ", but must be from " + LEAST_HYPER + " to "
                            + MOST_UNSIGNED_HYPER));
        }
        return fits;
    }

    /** Whether every requested name has a number. */
    boolean areSound() {
        return known.values().stream().allMatch(Optional::isPresent);
    }

    /** Collects the clauses of constants. */
    void placeClauses(ClauseCollector clauses) {
        constants.forEach((name, constant) -> clauses.place(new Target.Constant(name), constant.clauses()));
    }

    /** The number of a value; empty if it has none, which is reported. */
    Optional<BigInteger> of(Value value) {
        if (value instanceof Value.Literal literal) {
            return Optional.of(literal.number());
        }
        return isDefined(value.text()) ? number((Value.Named) value) : ofC(value);
    }

    /** The number of a defined name. Reports a name that is defined by a program. */
    private Optional<BigInteger> number(Value.Named value) {
        return isUsable(value) ? number(value.text()) : Optional.empty();
    }

    /** Whether a name has one meaning. Reports one that has several, or that only rpcgen takes for a number. */
    private boolean isUsable(Value.Named value) {
        String name = value.text();
        ProgramName ofProgram = entries.containsKey(name) ? null : ofPrograms.get(name);
        if (ofProgram == null) {
            return true;
        }
        ofProgram
                .different()
                .ifPresentOrElse(
                        different -> diagnostics.report(Diagnostic.error(
                                        "E203",
                                        value.span(),
                                        "`" + name + "` is the name of a " + ofProgram.what()
                                                + " and stands for two numbers")
                                .note(ofProgram.entry().span(), "first defined here")
                                .note(different, "defined with another number here")
                                .hint("write the number")),
                        () -> diagnostics.report(Extension.NAME_OF_PROGRAM.at(
                                value.span(),
                                "`" + name + "` is the name of a " + ofProgram.what() + "; treated as its number")));
        return ofProgram.different().isEmpty();
    }

    /** The number that C headers define for a name. Reports its use, or that the name is undefined. */
    private Optional<BigInteger> ofC(Value value) {
        String name = value.text();
        LinesForC.Type other = linesForC.types().get(name);
        List<LinesForC.Type> lines =
                linesForC.ambiguous().getOrDefault(name, other == null ? List.of() : List.of(other));
        if (!lines.isEmpty() && lines.stream().allMatch(each -> entries.containsKey(each.type()))) {
            Set<Optional<BigInteger>> numbers =
                    lines.stream().map(each -> number(each.type())).collect(Collectors.toSet());
            if (numbers.size() == 1) {
                Optional<BigInteger> number = numbers.iterator().next();
                number.ifPresent(each -> diagnostics.report(takenFromC(value, "is defined only for C", each)
                        .note(lines.get(0).span(), "defined here")));
                return number;
            }
        }
        Optional<Diagnostic> ambiguous = CTypes.ambiguous("E203", new Name(name, value.span()), linesForC);
        if (ambiguous.isPresent()) {
            diagnostics.report(ambiguous.get());
            return Optional.empty();
        }
        LinesForC.Constant constant = linesForC.constants().get(name);
        if (constant != null) {
            diagnostics.report(takenFromC(value, "is defined only for C", constant.number())
                    .note(constant.span(), "defined here"));
            return Optional.of(constant.number());
        }
        Optional<BigInteger> ofHeader = RpcHeader.number(name);
        if (ofHeader.isPresent()) {
            diagnostics.report(takenFromC(value, "is defined in C's header rpc/rpc.h", ofHeader.get()));
            return ofHeader;
        }
        Diagnostic undefined =
                Diagnostic.error("E203", value.span(), "there is no constant or enumerator `" + name + "`");
        Optional<Diagnostic> ofMacro = linesForC.outsideMacro(name, undefined);
        if (ofMacro.isPresent()) {
            diagnostics.report(ofMacro.get());
            return Optional.empty();
        }
        Optional<String> similar = diagnostics.wantsHints() ? Spelling.hint(name, names()) : Optional.empty();
        Span line = linesForC.mentions().get(name);
        diagnostics.report((line == null ? undefined : undefined.note(line, "lines that begin with `%` are only for C"))
                .hint(similar.orElse(
                        name.equals("__LINE__")
                                ? "write the number"
                                : line == null
                                        ? "if a C header defines it, pass -D " + name + "=NUMBER"
                                        : "define it in XDR too: const " + name + " = NUMBER;")));
        return Optional.empty();
    }

    private static Diagnostic takenFromC(Value value, String why, BigInteger number) {
        return Extension.C_CONSTANT
                .at(value.span(), "`" + value.text() + "` " + why + "; treated as " + number)
                .hint("to define it in XDR, add const " + value.text() + " = " + number + ";");
    }

    private Set<String> names() {
        Set<String> names = new HashSet<>(BOOL.keySet());
        names.addAll(entries.keySet());
        names.addAll(ofPrograms.keySet());
        return names;
    }

    /** Whether nothing defines a name, not even lines for C or macros elsewhere. */
    boolean isUnknown(String name) {
        return !isDefined(name)
                && !linesForC.mentions().containsKey(name)
                && !linesForC.macros().containsKey(name)
                && RpcHeader.number(name).isEmpty();
    }

    /** Whether a name has several definitions, which are in error, so that its number may not be the one that is meant. */
    boolean isRepeated(String name) {
        return repeated.contains(name);
    }

    /** The number of a bound or a size within limits; empty if it has none, which is reported. */
    Optional<BigInteger> length(Value value, long max, String what) {
        return within(value, 0, max, what, /* isSent= */ false);
    }

    /** The number of a value that messages have, within limits; empty if it has none, which is reported. */
    Optional<BigInteger> within(Value value, long min, long max, String what) {
        return within(value, min, max, what, /* isSent= */ true);
    }

    private Optional<BigInteger> within(Value value, long min, long max, String what, boolean isSent) {
        return of(value).filter(number -> {
            boolean fits =
                    number.compareTo(BigInteger.valueOf(min)) >= 0 && number.compareTo(BigInteger.valueOf(max)) <= 0;
            if (!fits) {
                diagnostics.report(Diagnostic.error(
                                "E205",
                                value.span(),
                                what + " is " + number + ", but must be from " + min + " to " + max)
                        .hint(ofSameBits(number, min, max)
                                .filter(same -> isSent)
                                .map(same -> "write " + same + ", which has the same bits")));
            }
            return fits;
        });
    }

    /** The number within limits that has the same 32 bits as another, signed or unsigned. */
    private static Optional<BigInteger> ofSameBits(BigInteger number, long min, long max) {
        BigInteger all = BigInteger.ONE.shiftLeft(Integer.SIZE);
        BigInteger same = number.signum() < 0 ? number.add(all) : number.subtract(all);
        boolean isInt = min == Integer.MIN_VALUE || max == XdrType.UNBOUNDED;
        return isInt
                        && number.compareTo(BigInteger.valueOf(Integer.MIN_VALUE)) >= 0
                        && number.compareTo(all) < 0
                        && same.compareTo(BigInteger.valueOf(min)) >= 0
                        && same.compareTo(BigInteger.valueOf(max)) <= 0
                ? Optional.of(same)
                : Optional.empty();
    }

    /** The number of a defined enumerator or constant. */
    Optional<BigInteger> number(String name) {
        Set<String> way = new LinkedHashSet<>();
        String at = name;
        while (!known.containsKey(at) && !BOOL.containsKey(at)) {
            Entry entry = entry(at);
            if (entry == null) {
                known.put(at, Optional.empty());
            } else if (!way.add(at)) {
                diagnostics.report(
                        Diagnostic.error("E204", entry.span(), "`" + at + "` is defined in terms of itself"));
                known.put(at, Optional.empty());
            } else if (entry.other().isPresent()) {
                Value.Named other = entry.other().get();
                if (!isDefined(other.text())) {
                    known.put(other.text(), of(other));
                } else if (!isUsable(other)) {
                    known.put(other.text(), Optional.empty());
                }
                at = other.text();
            } else {
                known.put(at, entry.number());
            }
        }
        unwind(new ArrayList<>(way), known.getOrDefault(at, Optional.ofNullable(BOOL.get(at))));
        return known.getOrDefault(name, Optional.ofNullable(BOOL.get(name)));
    }

    private void unwind(List<String> way, Optional<BigInteger> end) {
        Optional<BigInteger> number = end;
        for (int i = way.size() - 1; i >= 0; i--) {
            Entry entry = entry(way.get(i));
            if (entry != null && entry.other().isPresent()) {
                number = number.map(entry.plus()::add);
            }
            known.putIfAbsent(way.get(i), number);
        }
    }

    /** Requires that a definition of TRUE or FALSE gives it its value. */
    private void requireValueOfBool(String name) {
        Entry entry = entries.get(name);
        if (entry == null) {
            return;
        }
        Optional<BigInteger> said =
                entry.other().isPresent() ? number(entry.other().get().text()).map(entry.plus()::add) : entry.number();
        if (!said.equals(Optional.ofNullable(BOOL.get(name)))) {
            diagnostics.report(Diagnostic.error(
                    "E201", entry.span(), "`" + name + "` is a value of bool and cannot get another value"));
        }
    }

    private boolean isDefined(String name) {
        return entry(name) != null || BOOL.containsKey(name);
    }

    private @Nullable Entry entry(String name) {
        Entry entry = entries.get(name);
        ProgramName ofProgram = ofPrograms.get(name);
        return entry == null && ofProgram != null ? ofProgram.entry() : entry;
    }

    private void define(Definition.Program program) {
        define("program", program.name(), program.number());
        for (Definition.Version version : program.versions()) {
            define("version", version.name(), version.number());
            version.procedures().forEach(each -> define("procedure", each.name(), each.number()));
        }
    }

    private void define(String what, Name name, Value number) {
        ofPrograms.merge(name.text(), ProgramName.of(what, name, number), ProgramName::and);
    }

    private void define(List<TypeSyntax.Enumerator> enumerators) {
        Optional<Name> previous = Optional.empty();
        for (TypeSyntax.Enumerator enumerator : enumerators) {
            Optional<Name> before = previous;
            previous = Optional.of(enumerator.name());
            if (enumerator.value().isPresent() || before.isEmpty()) {
                define(enumerator.name(), enumerator.value());
            } else {
                Value.Named one =
                        new Value.Named(before.get().text(), before.get().span());
                enter(enumerator.name(), Optional.empty(), Optional.of(one), BigInteger.ONE);
            }
        }
    }

    /** Defines a name. Without a value, it is the first enumerator, whose value is zero. */
    private boolean define(Name name, Optional<Value> value) {
        Optional<Value.Named> other =
                value.filter(Value.Named.class::isInstance).map(Value.Named.class::cast);
        Optional<BigInteger> number = value.isEmpty()
                ? Optional.of(BigInteger.ZERO)
                : value.filter(Value.Literal.class::isInstance).map(literal -> ((Value.Literal) literal).number());
        return enter(name, number, other, BigInteger.ZERO);
    }

    private boolean enter(Name name, Optional<BigInteger> number, Optional<Value.Named> other, BigInteger plus) {
        Entry first = entries.putIfAbsent(name.text(), new Entry(name.span(), number, other, plus));
        if (first != null) {
            repeated.add(name.text());
            diagnostics.report(
                    Repetitions.error("constant or enumerator", name, first.span())
                            .hint(
                                    "constants and all enumerators share one scope (RFC 4506 section 6.4): give one of the two another name"));
        }
        return first == null;
    }
}
