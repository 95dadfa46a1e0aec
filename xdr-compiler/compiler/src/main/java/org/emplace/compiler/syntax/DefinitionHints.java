// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.syntax;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.emplace.compiler.diagnostic.Spelling;

/** Advice for a syntax error in the body of a definition, or between definitions. */
record DefinitionHints(ErrorPlace place) {

    private static final Set<Integer> OF_DEFINITIONS =
            Set.of(XdrParser.RULE_file, XdrParser.RULE_item, XdrParser.RULE_definition, XdrParser.RULE_defined);

    /** Words of other languages that begin a definition, and what to do instead. */
    private static final Map<String, String> DEFINITIONS = Map.ofEntries(
            Map.entry("message", "write struct NAME { ... };"),
            Map.entry("class", "write struct NAME { ... };"),
            Map.entry("record", "write struct NAME { ... };"),
            Map.entry("exception", "write struct NAME { ... };"),
            Map.entry("include", "write #include for definitions of another file, or compile both files together"),
            Map.entry("interface", "write program NAME { version NAME { ... } = 1; } = NUMBER;"),
            Map.entry("service", "write program NAME { version NAME { ... } = 1; } = NUMBER;"),
            Map.entry("package", "XDR has no packages: the option --package names that of the Java sources"),
            Map.entry("syntax", "XDR has no versions of its syntax: remove the line"),
            Map.entry("option", "XDR has no options: remove the line"),
            Map.entry("using", "all names share one scope: remove the line"),
            Map.entry("import", "write #include for definitions of another file, or compile both files together"),
            Map.entry("version", "a version belongs in a program: program NAME { version ... } = NUMBER;"));

    private static final Set<String> KEYWORDS = Set.of("struct", "union", "enum", "typedef", "const", "program");

    /** The advice, if there is some. */
    Optional<String> hint() {
        return Stream.<Supplier<Optional<String>>>of(this::body, this::definition, this::number)
                .flatMap(each -> each.get().stream())
                .findFirst();
    }

    private Optional<String> body() {
        String at = place.text();
        if (at.equals("*")
                && Set.of("struct", "union", "enum").contains(place.before(1))
                && place.after(2).equals("{")) {
            return Optional.of(pointerDefinition());
        } else if (place.isInside(XdrParser.RULE_enumBody)
                && at.equals(";")
                && place.after(1).equals("}")) {
            return Optional.of("remove the `;`");
        } else if (at.equals(":") && place.before(2).equals("struct")) {
            String base = DeclarationHints.MODIFIERS.containsKey(place.after(1)) ? place.after(2) : place.after(1);
            return Optional.of("XDR has no inheritance: write the members of " + base + " too");
        } else if (at.equals("<") && place.before(2).equals("struct")) {
            return Optional.of("XDR has no type parameters: write a struct for each type");
        } else if (at.equals("(") && place.before(1).startsWith("__attribute__")) {
            return Optional.of("XDR has no attributes: remove `" + place.before(1) + "`");
        } else if (place.isInside(XdrParser.RULE_enumBody) && place.before(1).equals("{") && at.equals("}")) {
            return Optional.of("an enum needs at least one value");
        } else if (place.isInside(XdrParser.RULE_structBody) && place.before(1).equals("{") && at.equals("}")) {
            return Optional.of("a struct needs at least one member; use void where there is nothing to say");
        } else if (place.isInside(XdrParser.RULE_enumBody) && at.equals("(")) {
            return Optional.of("write " + place.before(1) + " = " + place.after(1));
        } else if (place.isInside(XdrParser.RULE_enumBody) && place.expected().contains(XdrParser.COMMA)) {
            return Optional.of("write a comma between enumerators");
        } else if (at.equals(":") && place.before(2).equals("enum")) {
            return Optional.of("the values of an enum are ints: remove `: " + place.after(1) + "`");
        } else if (place.isName()
                && place.before(2).equals("enum")
                && Set.of("class", "struct").contains(place.before(1))) {
            return Optional.of("write enum " + at + " { ... };");
        } else if (at.equals("{") && place.before(2).equals("union")) {
            return Optional.of(
                    place.after(1).equals("switch")
                            ? "write union " + place.before(1) + " switch (...) { case ... }"
                            : "write union " + place.before(1)
                                    + " switch (int which) { case 1: ... }: a value tells which arm follows");
        } else if (at.equals("}") && place.before(1).equals("{") && place.isInside(XdrParser.RULE_unionBody)) {
            return Optional.of("a union needs at least one case");
        } else if (at.equals(";")
                && Set.of("struct", "union", "enum").contains(place.before(2))
                && place.expected().contains(XdrParser.OPENING_BRACE)) {
            return Optional.of("XDR has no declarations without a body: remove the line");
        } else if (at.equals("(") && Set.of("struct", "enum").contains(place.before(2))) {
            return Optional.of("write braces around the body");
        } else if (place.rule() == XdrParser.RULE_program && place.before(1).equals("{")) {
            return Optional.of("procedures belong in a version of the program: version NAME { ... } = 1;");
        } else if (at.equals("(")
                && place.isInside(XdrParser.RULE_procedure)
                && place.expected().contains(XdrParser.IDENTIFIER)) {
            return Optional.of("write the type of the result first: void " + place.before(1) + "(...)");
        }
        return Optional.empty();
    }

    /** The struct for a pointer to it, as RFC 1833 writes one. */
    private String pointerDefinition() {
        String name = place.after(1);
        StringBuilder members = new StringBuilder();
        for (int i = 3; i < 40 && !place.after(i).equals("}") && !place.after(i).isEmpty(); i++) {
            boolean isNext = place.after(i).equals(name) && ErrorPlace.isWord(place.after(i + 1));
            boolean isJoined = Set.of(";", "[", "]", "<", ">").contains(place.after(i))
                    || Set.of("[", "<").contains(place.after(i - 1));
            members.append(isJoined ? "" : " ").append(place.after(i)).append(isNext ? " *" + place.after(++i) : "");
        }
        return "write " + place.before(1) + " " + name + " {" + members + " }; and refer to it by " + name + " *";
    }

    private Optional<String> definition() {
        String at = place.text();
        int rule = place.rule();
        boolean amongDefinitions = !place.isInside(
                XdrParser.RULE_structBody, XdrParser.RULE_unionBody, XdrParser.RULE_enumBody, XdrParser.RULE_program);
        if (!amongDefinitions) {
            return Set.of("rpc", "oneof").contains(place.before(1))
                            || Set.of("rpc", "oneof", "returns").contains(at)
                            || (at.equals("{") && place.before(2).equals("oneof"))
                    ? Optional.of(
                            (at + place.before(1)).matches(".*(rpc|returns).*")
                                    ? "write a procedure as RESULT NAME(ARGUMENT) = NUMBER;"
                                    : "write union switch (int which) { case 1: ... } NAME;")
                    : Optional.empty();
        }
        boolean isBehindBraces = place.isName() && place.before(1).equals("}") && !DEFINITIONS.containsKey(at);
        boolean lacksSemicolon =
                place.expected().size() == 1 && place.expected().contains(XdrParser.SEMICOLON) && ErrorPlace.isWord(at);
        if (lacksSemicolon && !isBehindBraces) {
            return Optional.empty();
        } else if (at.startsWith("__attribute__")) {
            return Optional.of("XDR has no attributes: remove `" + at + "`");
        } else if (at.equals("{") && Set.of("struct", "union", "enum").contains(place.before(1))) {
            return Optional.of("write the name before the braces: " + place.before(1) + " NAME { ... };");
        } else if (at.equals("{") && place.before(3).equals("typedef")) {
            return Optional.of("write " + place.before(2) + " " + nameBehindBraces() + " { ... }; without typedef");
        } else if (isBehindBraces) {
            return Optional.of("write the name before the braces: struct " + at + " { ... };");
        } else if ((at.equals(";") && Set.of(";", "").contains(place.before(1)))
                || (at.equals("}") && rule == XdrParser.RULE_file)) {
            return Optional.of("remove the `" + at + "`");
        } else if (OF_DEFINITIONS.contains(rule)) {
            return Optional.ofNullable(DEFINITIONS.get(at))
                    .filter(hint -> !isAlias())
                    .or(() -> isAlias() ? Optional.of(typedef()) : Optional.empty())
                    .or(() -> DeclarationHints.MODIFIERS.containsKey(at)
                            ? Optional.of("remove `" + at + "`")
                            : Optional.empty())
                    .or(() -> place.isName() ? Spelling.hint(at, KEYWORDS).or(this::longWord) : Optional.empty())
                    .or(() -> isDeclaration()
                            ? Optional.of(
                                    "a declaration belongs in a struct or union, and a procedure in a version of a program")
                            : Optional.empty());
        }
        return Optional.empty();
    }

    /** A keyword that is written out, as {@code structure}. */
    private Optional<String> longWord() {
        return KEYWORDS.stream()
                .filter(keyword -> place.text().startsWith(keyword) && ErrorPlace.isWord(place.after(1)))
                .findFirst()
                .map(keyword -> "did you mean `" + keyword + "`?");
    }

    /** Whether a name for a type is given as in C++. */
    private boolean isAlias() {
        return place.is("using") && place.after(2).equals("=");
    }

    private String typedef() {
        String type = place.after(4).equals(";") ? place.after(3) : "TYPE";
        return "write typedef " + type + " " + place.after(1) + ";";
    }

    /** The name behind the braces that open here, by which a typedef in C is known; if there is none, that before them. */
    private String nameBehindBraces() {
        int depth = 1;
        int at = 0;
        while (depth > 0 && !place.after(++at).isEmpty()) {
            depth += place.after(at).equals("{") ? 1 : place.after(at).equals("}") ? -1 : 0;
        }
        return ErrorPlace.isWord(place.after(at + 1)) ? place.after(at + 1) : place.before(1);
    }

    /** Whether a declaration or a procedure begins here. */
    private boolean isDeclaration() {
        boolean isProcedure =
                place.isName() && (place.after(2).equals("(") || place.after(1).equals("("));
        return isProcedure
                || Set.of("int", "void", "string", "bool", "unsigned", "hyper").contains(place.text());
    }

    /** The number that a program, a version or a procedure lacks. */
    private Optional<String> number() {
        boolean wantsNumber =
                place.expected().contains(equalSign()) && place.expected().size() == 1;
        return switch (wantsNumber ? place.rule() : -1) {
            case XdrParser.RULE_program -> Optional.of("a program ends with its number: } = 0x20000001;");
            case XdrParser.RULE_version -> Optional.of("a version ends with its number: } = 1;");
            case XdrParser.RULE_procedure -> Optional.of("a procedure ends with its number: = 1;");
            default -> Optional.empty();
        };
    }

    private int equalSign() {
        return place.type("'='");
    }
}
