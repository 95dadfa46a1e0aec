// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.link;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.diagnostic.Extension;
import org.emplace.compiler.diagnostic.Spelling;
import org.emplace.compiler.model.XdrType;
import org.emplace.compiler.model.XdrType.Primitive;
import org.emplace.compiler.preprocess.LinesForC;
import org.emplace.compiler.source.Span;
import org.emplace.compiler.syntax.Definition;
import org.emplace.compiler.syntax.Name;

/**
 * Types that a file may use without defining them: those that C's headers or the file's own lines for C define for the output of rpcgen, and the sized
 * integers in RFCs.
 *
 * @param defined the types that the files define, by name
 */
record CTypes(Map<String, Definition> defined, LinesForC linesForC, Diagnostics diagnostics) {

    private static final Map<String, XdrType> OF_RPCGEN = Map.ofEntries(
            Map.entry("u_int", Primitive.UNSIGNED_INT),
            Map.entry("u_long", Primitive.UNSIGNED_INT),
            Map.entry("u_short", Primitive.UNSIGNED_INT),
            Map.entry("u_char", Primitive.UNSIGNED_INT),
            Map.entry("bool_t", Primitive.BOOL),
            Map.entry("quad_t", Primitive.HYPER),
            Map.entry("u_quad_t", Primitive.UNSIGNED_HYPER),
            Map.entry("longlong_t", Primitive.HYPER),
            Map.entry("u_longlong_t", Primitive.UNSIGNED_HYPER),
            Map.entry("enum_t", Primitive.INT),
            Map.entry("rpcprog_t", Primitive.UNSIGNED_INT),
            Map.entry("rpcvers_t", Primitive.UNSIGNED_INT),
            Map.entry("rpcproc_t", Primitive.UNSIGNED_INT),
            Map.entry("rpcprot_t", Primitive.UNSIGNED_INT),
            Map.entry("rpcport_t", Primitive.UNSIGNED_INT),
            Map.entry("netobj", new XdrType.VariableOpaque(1024)),
            Map.entry("des_block", new XdrType.FixedOpaque(8)));

    /** The names of sized integers in C and in RFCs. */
    private static final Pattern SIZED = Pattern.compile("(?:u_?)?int(?:8|16|32|64)_t|u?int(?:32|64)");

    /** What a name of other languages is in XDR. */
    private static final Map<String, String> OF_OTHERS = Map.ofEntries(
            Map.entry("signed", "int"),
            Map.entry("uint", "unsigned int"),
            Map.entry("ulong", "unsigned int or unsigned hyper"),
            Map.entry("ushort", "unsigned int"),
            Map.entry("uchar", "unsigned int"),
            Map.entry("int8", "int"),
            Map.entry("int16", "int"),
            Map.entry("uint8", "unsigned int"),
            Map.entry("uint16", "unsigned int"),
            Map.entry("sint32", "int"),
            Map.entry("sint64", "hyper"),
            Map.entry("fixed32", "unsigned int"),
            Map.entry("fixed64", "unsigned hyper"),
            Map.entry("sfixed32", "int"),
            Map.entry("sfixed64", "hyper"),
            Map.entry("size_t", "unsigned int or unsigned hyper"),
            Map.entry("ssize_t", "int or hyper"),
            Map.entry("off_t", "hyper"),
            Map.entry("time_t", "hyper"),
            Map.entry("uid_t", "unsigned int"),
            Map.entry("gid_t", "unsigned int"),
            Map.entry("pid_t", "int"),
            Map.entry("mode_t", "unsigned int"),
            Map.entry("wchar_t", "unsigned int"),
            Map.entry("boolean", "bool"),
            Map.entry("Boolean", "bool"),
            Map.entry("_Bool", "bool"),
            Map.entry("Integer", "int"),
            Map.entry("integer", "int"),
            Map.entry("Long", "hyper"),
            Map.entry("i32", "int"),
            Map.entry("u32", "unsigned int"),
            Map.entry("i64", "hyper"),
            Map.entry("u64", "unsigned hyper"),
            Map.entry("float32", "float"),
            Map.entry("float64", "double"),
            Map.entry("String", "string NAME<>"),
            Map.entry("str", "string NAME<>"),
            Map.entry("byte", "opaque NAME[n] or opaque NAME<> for bytes"),
            Map.entry("bytes", "opaque NAME<>"));

    private static final String ELSEWHERE = "if another file defines it, compile that file too";

    private static final Set<String> KEYWORDS =
            Set.of("int", "unsigned", "hyper", "float", "double", "bool", "string", "opaque", "void");

    /** The most words whose type is found out for a name. */
    private static final int MOST_STEPS = 64;

    /** The type that an undefined name stands for. Reports its use; if it is empty, that the name is undefined. */
    Optional<XdrType> meaning(Name name) {
        Optional<XdrType> known = ofHeaders(name.text());
        if (OF_RPCGEN.containsKey(name.text())) {
            diagnostics.report(Extension.C_TYPE.at(
                    name.span(),
                    "`" + name.text() + "` is not an XDR type; treated as in rpcgen's headers"
                            + (name.text().equals("u_long") ? ", with 32 bits" : "")));
            return known;
        } else if (known.isPresent()) {
            String standard = standard(known.get());
            diagnostics.report(Extension.SIZED_INTEGER
                    .at(name.span(), "`" + name.text() + "` is not an XDR type; treated as " + standard)
                    .hint("add typedef " + standard + " " + name.text() + ";"));
            return known;
        }
        List<LinesForC.Type> lines = lines(name.text());
        Optional<XdrType> ofLines = ofLines(lines, new HashMap<>());
        if (ofLines.isPresent()) {
            String standard = standard(ofLines.get());
            diagnostics.report(Extension.TYPE_OF_C
                    .at(name.span(), "`" + name.text() + "` is defined only for C; treated as " + standard)
                    .note(
                            linesForC
                                    .types()
                                    .getOrDefault(name.text(), lines.get(0))
                                    .span(),
                            "defined here")
                    .hint("to define it in XDR, add typedef " + declared(ofLines.get(), name.text()) + ";"));
            return ofLines;
        }
        diagnostics.report(ambiguous("E202", name, linesForC).orElseGet(() -> undefined(name)));
        return Optional.empty();
    }

    /** The error for a name that the lines for C define in several ways. */
    static Optional<Diagnostic> ambiguous(String code, Name name, LinesForC lines) {
        return Optional.ofNullable(lines.ambiguous().get(name.text()))
                .map(places -> Diagnostic.error(
                                code,
                                name.span(),
                                "`" + name.text() + "` has several definitions, which are only for C")
                        .note(places.get(0).span(), "defined here")
                        .note(places.get(1).span(), "defined in another way here")
                        .hint("which of them C takes is not evaluated here: pass -D " + name.text()
                                + "=..., or define it in XDR"));
    }

    private Diagnostic undefined(Name name) {
        Diagnostic undefined = Diagnostic.error("E202", name.span(), "there is no type `" + name.text() + "`");
        Optional<Diagnostic> ofMacro = linesForC.outsideMacro(name.text(), undefined);
        Span line = linesForC.mentions().get(name.text());
        if (ofMacro.isPresent()) {
            return ofMacro.get();
        } else if (line != null) {
            return undefined
                    .note(line, "lines that begin with `%` are only for C")
                    .hint("define it in XDR too, without the `%`");
        }
        String other = OF_OTHERS.get(name.text());
        if (other != null) {
            return undefined.hint("write " + other);
        }
        Optional<String> similar =
                diagnostics.wantsHints() ? Spelling.hint(name.text(), known(name)) : Optional.empty();
        boolean isKeyword = similar.isPresent()
                && KEYWORDS.stream()
                        .filter(keyword -> !keyword.equalsIgnoreCase(name.text()))
                        .anyMatch(keyword -> similar.equals(Spelling.hint(name.text(), Set.of(keyword))));
        return undefined.hint(similar.map(hint -> isKeyword ? hint + " Otherwise, " + ELSEWHERE : hint)
                .orElse(ELSEWHERE));
    }

    /**
     * The names that may be meant, but not that of the typedef which has this one. A keyword is meant only if one character is wrong: many names of types
     * are nearly keywords.
     */
    private Set<String> known(Name name) {
        Set<String> known = KEYWORDS.stream()
                .filter(keyword -> Spelling.isSlip(name.text(), keyword))
                .collect(Collectors.toCollection(HashSet::new));
        defined.forEach((other, definition) -> {
            if (!(definition instanceof Definition.Typedef typedef
                    && typedef.declaration().type().span().equals(name.span()))) {
                known.add(other);
            }
        });
        return known;
    }

    private static Optional<XdrType> ofHeaders(String name) {
        XdrType ofRpcgen = OF_RPCGEN.get(name);
        if (ofRpcgen != null || !SIZED.matcher(name).matches()) {
            return Optional.ofNullable(ofRpcgen);
        }
        return Optional.of(integer(name.contains("64"), name.startsWith("u")));
    }

    /** The lines for C that define a name, of which C chooses one. */
    private List<LinesForC.Type> lines(String name) {
        LinesForC.Type line = linesForC.types().get(name);
        return linesForC.ambiguous().getOrDefault(name, line == null ? List.of() : List.of(line));
    }

    /**
     * The type that lines for C name, through other such lines; empty if it is not the same for all of them.
     *
     * @param known the types of words so far; those that are being found out have none
     */
    private Optional<XdrType> ofLines(List<LinesForC.Type> lines, Map<String, Optional<XdrType>> known) {
        Set<Optional<XdrType>> types =
                lines.stream().map(line -> ofLine(line, known)).collect(Collectors.toSet());
        return types.size() == 1 ? types.iterator().next() : Optional.empty();
    }

    private Optional<XdrType> ofLine(LinesForC.Type line, Map<String, Optional<XdrType>> known) {
        String words = line.type().replaceFirst("^(const|struct|union|enum) ", "");
        if (defined.containsKey(words)) {
            return Optional.of(new XdrType.Reference(words));
        } else if (known.containsKey(words) || known.size() >= MOST_STEPS) {
            return known.getOrDefault(words, Optional.empty());
        }
        known.put(words, Optional.empty());
        Optional<XdrType> meaning = ofHeaders(words).or(() -> ofWords(words)).or(() -> ofLines(lines(words), known));
        known.put(words, meaning);
        return meaning;
    }

    /** The type of words such as {@code unsigned long}. Types that rpcgen knows have its width, which is that of an int for {@code long}. */
    private static Optional<XdrType> ofWords(String text) {
        List<String> words = List.of(text.split(" "));
        if (words.equals(List.of("float"))) {
            return Optional.of(Primitive.FLOAT);
        } else if (words.equals(List.of("double"))) {
            return Optional.of(Primitive.DOUBLE);
        } else if (words.equals(List.of("bool"))) {
            return Optional.of(Primitive.BOOL);
        }
        Set<String> left = new HashSet<>(words);
        left.removeAll(Set.of("int", "unsigned", "signed", "long", "short", "char", "hyper"));
        boolean isHyper =
                words.contains("hyper") || words.stream().filter("long"::equals).count() > 1;
        return left.isEmpty() ? Optional.of(integer(isHyper, words.contains("unsigned"))) : Optional.empty();
    }

    private static XdrType integer(boolean isHyper, boolean isUnsigned) {
        if (isHyper) {
            return isUnsigned ? Primitive.UNSIGNED_HYPER : Primitive.HYPER;
        }
        return isUnsigned ? Primitive.UNSIGNED_INT : Primitive.INT;
    }

    /** A type as XDR writes it. */
    private static String standard(XdrType type) {
        return declared(type, "").replaceFirst(" (?=[<\\[]|$)", "");
    }

    private static String declared(XdrType type, String name) {
        if (type instanceof XdrType.VariableOpaque opaque) {
            return "opaque " + name + "<" + opaque.max() + ">";
        } else if (type instanceof XdrType.FixedOpaque opaque) {
            return "opaque " + name + "[" + opaque.size() + "]";
        }
        String words = type instanceof XdrType.Reference reference
                ? reference.name()
                : type.toString().toLowerCase(Locale.ROOT).replace('_', ' ');
        return words + " " + name;
    }
}
