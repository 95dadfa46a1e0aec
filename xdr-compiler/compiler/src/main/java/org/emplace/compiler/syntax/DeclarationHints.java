// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.syntax;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Advice for a syntax error in a declaration or in a value. */
record DeclarationHints(ErrorPlace place) {

    private static final Set<String> OPENINGS = Set.of("[", "<");
    private static final Set<String> CLOSINGS = Set.of("]", ">");
    private static final Set<String> TYPES = Set.of("int", "hyper", "float", "double", "bool");
    private static final Set<String> OPERATORS = Set.of("*", "(", "<", ")");

    /** Words of other languages before a declaration, and what to do instead. */
    static final Map<String, String> MODIFIERS = Map.ofEntries(
            Map.entry("optional", "write %s *%s for a value that may be absent"),
            Map.entry("nullable", "write %s *%s for a value that may be absent"),
            Map.entry("oneway", "write %s %s without `oneway`"),
            Map.entry("in", "write %s %s without `in`"),
            Map.entry("out", "write %s %s without `out`"),
            Map.entry("repeated", "write %s %s<> for a list"),
            Map.entry("required", "write %s %s: every member is required"),
            Map.entry("signed", "write %s %s without `signed`"),
            Map.entry("const", "write %s %s without `const`"),
            Map.entry("static", "write %s %s without `static`"),
            Map.entry("volatile", "write %s %s without `volatile`"),
            Map.entry("register", "write %s %s without `register`"),
            Map.entry("final", "write %s %s without `final`"),
            Map.entry("extern", "write %s %s without `extern`"),
            Map.entry("public", "write %s %s without `public`"),
            Map.entry("private", "write %s %s without `private`"));

    /** The advice, if there is some. */
    Optional<String> hint() {
        return Stream.<Supplier<Optional<String>>>of(
                        this::value, this::integer, this::modifier, this::bounds, this::declaration)
                .flatMap(each -> each.get().stream())
                .findFirst();
    }

    /** A value that is an expression, as of a macro. */
    private Optional<String> value() {
        boolean inValue = place.rule() == XdrParser.RULE_value
                || (OPENINGS.contains(place.before(1)) && place.is("("))
                || (place.before(1).equals("=") && place.is("("))
                || (place.before(1).equals("case") && place.is("("));
        if (place.before(1).equals("sizeof") || (place.is("*") && OPENINGS.contains(place.before(2)))) {
            return Optional.of("XDR has no expressions: write the number");
        } else if (inValue && place.text().startsWith("\"")) {
            return Optional.of("write the number: XDR selects by numbers and enumerators, not by text");
        } else if (inValue && place.is("(")) {
            return Optional.of(
                    place.after(1).matches("-?[0-9]\\w*") && place.after(2).equals(")")
                            ? "write " + place.after(1) + " without parentheses"
                            : "XDR has no expressions: write the number");
        } else if (place.is(";") && place.isInMacro()) {
            return Optional.of("remove the `;` from the macro");
        }
        boolean isOperator = OPERATORS.contains(place.text());
        return isOperator && place.before(2).equals("=") && place.before(1).matches("\\w+")
                ? Optional.of("XDR has no expressions: write the number")
                : Optional.empty();
    }

    /** {@code long long}, {@code signed int}. */
    private Optional<String> integer() {
        String at = place.text();
        if (at.equals("long") && place.before(1).equals("long")) {
            return Optional.of(
                    place.before(2).equals("unsigned")
                            ? "write unsigned hyper for unsigned long long"
                            : "write hyper for long long");
        } else if (place.before(1).equals("signed")
                && Set.of("int", "long", "short", "char", "hyper").contains(at)) {
            boolean isLongLong = at.equals("long") && place.after(1).equals("long");
            boolean isHyper = at.equals("hyper") || isLongLong;
            return Optional.of(
                    "write " + (isHyper ? "hyper" : "int") + " for signed " + (isLongLong ? "long long" : at));
        } else if (at.equals("unsigned")
                && Set.of("int", "long", "short", "char", "hyper").contains(place.before(1))) {
            return Optional.of("write unsigned before " + place.before(1));
        } else if (at.equals("double") && place.before(1).equals("long")) {
            return Optional.of("write quadruple for long double");
        }
        return Optional.empty();
    }

    /** A word that XDR does not have before a type, which the parser takes for the type. */
    private Optional<String> modifier() {
        String name = place.text();
        boolean inBody = place.isInside(XdrParser.RULE_structBody, XdrParser.RULE_unionBody, XdrParser.RULE_program);
        if (place.is("const") && inBody) {
            boolean isText = place.after(1).equals("char") && place.after(2).equals("*");
            return Optional.of(
                    isText
                            ? "write string " + (ErrorPlace.isWord(place.after(3)) ? place.after(3) : "NAME")
                                    + "<> for text"
                            : "write " + place.after(1) + " " + place.after(2) + " without `const`");
        } else if (place.is("string") && place.before(1).equals("::")) {
            return Optional.of(
                    "write string " + (ErrorPlace.isWord(place.after(1)) ? place.after(1) : "NAME") + "<> for text");
        } else if (place.before(1).equals("unsigned") && place.isKeyword()) {
            return Optional.of("write " + name + " without `unsigned`");
        } else if (place.before(2).equals("unsigned") && place.isName()) {
            return Optional.of("write " + place.before(1) + " " + name + " without `unsigned`");
        } else if (place.before(1).equals("reserved") && place.text().matches("[0-9\"].*")) {
            return Optional.of("XDR has no reserved members: remove the line");
        } else if (place.is(":") && MODIFIERS.containsKey(place.before(1))) {
            return Optional.of("remove `" + place.before(1) + ":`");
        } else if (TYPES.contains(name)
                && inBody
                && ErrorPlace.isWord(place.before(1))
                && place.after(1).equals(";")) {
            return Optional.of("write the type before the name: " + name + " " + place.before(1));
        } else if (place.isName() && MODIFIERS.containsKey(place.before(2)) && ErrorPlace.isWord(place.before(1))) {
            return Optional.of(MODIFIERS.get(place.before(2)).formatted(place.before(1), name));
        } else if (place.isKeyword() && MODIFIERS.containsKey(place.before(1))) {
            boolean isAssigned = place.after(2).equals("=");
            String constant = place.before(1).equals("const")
                            && (isAssigned || place.after(2).matches("-?[0-9]\\w*"))
                    ? "write const " + place.after(1) + " = " + place.after(isAssigned ? 3 : 2) + ";"
                    : "";
            return Optional.of(
                    constant.isEmpty()
                            ? MODIFIERS
                                    .get(place.before(1))
                                    .formatted(name, ErrorPlace.isWord(place.after(1)) ? place.after(1) : "NAME")
                            : constant);
        } else if (place.before(2).equals("const")
                && place.isName()
                && place.after(1).equals("=")) {
            return Optional.of("write const " + name + " = " + place.after(2) + ";");
        }
        return Optional.empty();
    }

    private Optional<String> bounds() {
        String at = place.text();
        if (OPENINGS.contains(at) && CLOSINGS.contains(place.before(1))) {
            return Optional.of(arrayOfArrays());
        } else if (at.equals("]") && place.before(1).equals("[")) {
            String name = place.before(2);
            if (place.before(3).equals("*")) {
                return Optional.of(
                        place.before(4).equals("char")
                                ? arrayOfStrings("<>", name, "<>")
                                : "`" + name + "` is both optional and an array: define a typedef for one of the two");
            }
            if (place.isInside(XdrParser.RULE_program)) {
                return Optional.of("write " + name + "<> for an array of any length");
            }
            return Optional.of(
                    switch (place.before(3)) {
                        case "char", "byte" -> "write string " + name + "<> (text), opaque " + name + "<> (bytes)";
                        case "opaque", "string" -> "write " + place.before(3) + " " + name + "<>";
                        default -> "write " + place.before(3) + " " + name + "<> for an array of any length";
                    });
        } else if (OPENINGS.contains(at) && isTypeBefore()) {
            String name = ErrorPlace.isWord(place.after(closing() + 1)) ? place.after(closing() + 1) : "NAME";
            String type = place.before(1);
            return Optional.of(
                    switch (type) {
                        case "map", "Map" -> "XDR has no maps: write an array of a struct with the key and the value";
                        case "byte", "char" -> "write opaque " + name + "<> for bytes";
                        case "Optional" -> "write " + place.after(1) + " *" + name + " for a value that may be absent";
                        case "List", "list", "vector", "set", "Set" -> "write " + place.after(1) + " " + name + "<>";
                        default -> "write the bound after the name: " + type + " " + name + bound();
                    });
        }
        return Optional.empty();
    }

    private boolean isTypeBefore() {
        int type = place.rule();
        return type == XdrParser.RULE_declaration || type == XdrParser.RULE_type || type == XdrParser.RULE_qualified;
    }

    /** The number of tokens to the closing bracket. */
    private int closing() {
        int at = 1;
        while (at < 4 && !CLOSINGS.contains(place.after(at))) {
            at++;
        }
        return at;
    }

    private String bound() {
        StringBuilder bound = new StringBuilder(place.text());
        for (int i = 1; i <= closing(); i++) {
            bound.append(place.after(i));
        }
        return bound.toString().replace("[]", "<>");
    }

    /** A typedef for the inner array, with the names in the text. */
    private String arrayOfArrays() {
        int opening = 2;
        while (opening < 5 && !OPENINGS.contains(place.before(opening))) {
            opening++;
        }
        StringBuilder outer = new StringBuilder();
        for (int i = opening; i > 0; i--) {
            outer.append(place.before(i));
        }
        StringBuilder inner = new StringBuilder(place.text());
        for (int i = 1; i <= closing(); i++) {
            inner.append(place.after(i));
        }
        String type = place.before(opening + 2);
        String name = place.before(opening + 1);
        return type.equals("string")
                ? arrayOfStrings(outer.toString(), name, inner.toString())
                : "an array of arrays needs a typedef: typedef " + type + " row" + inner + "; ... row " + name + outer
                        + ";";
    }

    /** The typedef for an array of strings. */
    static String arrayOfStrings(String bound, String name, String length) {
        return "an array of strings needs a typedef: typedef string text" + bound + "; ... text " + name + length + ";";
    }

    private Optional<String> declaration() {
        String at = place.text();
        int rule = place.rule();
        if (at.equals(",") && place.before(2).equals("case")) {
            return Optional.of("write case " + place.before(1) + ": case " + place.after(1) + ":");
        } else if (at.equals(",") && isWordOrBound(place.before(1)) && rule != XdrParser.RULE_value) {
            return Optional.of("write a declaration for each name");
        } else if (at.equals("*") && place.before(1).equals("void")) {
            return Optional.of("XDR has no pointers to data of any type: write opaque "
                    + (ErrorPlace.isWord(place.after(1)) ? place.after(1) : "NAME") + "<>");
        } else if (at.equals("*") && place.before(1).equals("*")) {
            return Optional.of("a pointer to a pointer needs a typedef for one of the two");
        } else if (at.equals("{") && place.before(1).equals("union")) {
            return Optional.of("write union switch (int which) { case 1: ... }: a value tells which arm follows");
        } else if (at.equals(";")
                && place.before(1).equals("}")
                && place.expected().contains(XdrParser.IDENTIFIER)) {
            return Optional.of("write a name behind the braces");
        } else if (at.equals("{") && place.before(1).equals(":") && place.isInside(XdrParser.RULE_unionBody)) {
            return Optional.of("an arm is one declaration: write struct { ... } NAME;");
        } else if (at.equals(":") && place.before(1).equals("else")) {
            return Optional.of("write default for else");
        } else if (at.matches("[0-9]\\w*") && place.after(1).equals(":") && place.isInside(XdrParser.RULE_unionBody)) {
            return Optional.of("write case " + at);
        } else if (at.equals(")") && place.isInside(XdrParser.RULE_unionBody)) {
            return Optional.of("give the discriminant a name: switch (" + place.before(1) + " which)");
        } else if (place.before(1).equals("switch")) {
            return Optional.of("write switch (int which) with the discriminant's type and name");
        } else if (at.equals("}") && place.before(1).equals(":")) {
            return Optional.of("write void; for an arm without data");
        } else if (at.equals(";")
                && place.before(1).equals("break")
                && place.before(2).equals(":")) {
            return Optional.of("write void; for an arm without data");
        } else if (at.equals(";") && place.before(1).equals("break")) {
            return Optional.of("an arm of a union ends by itself: remove `break;`");
        } else if (at.equals("=")
                && isWordOrBound(place.before(1))
                && place.isInside(XdrParser.RULE_structBody, XdrParser.RULE_unionBody)) {
            return Optional.of("members have neither numbers nor initial values: remove `= " + place.after(1) + "`");
        } else if (at.equals(":")
                && ErrorPlace.isWord(place.before(1))
                && !place.before(2).equals("struct")
                && place.isInside(XdrParser.RULE_structBody)) {
            return Optional.of(
                    ErrorPlace.isWord(place.after(1)) && ErrorPlace.isWord(place.after(2))
                            ? "write " + place.before(1) + "::" + place.after(1) + " for a name in a namespace"
                            : ErrorPlace.isWord(place.after(1))
                                    ? "write the type before the name: " + place.after(1) + " " + place.before(1)
                                    : "XDR has no bit fields");
        } else if (at.equals("(") && place.after(1).equals("*")) {
            return Optional.of("XDR has no pointers to functions");
        } else if (at.equals("{")
                && ErrorPlace.isWord(place.before(1))
                && Set.of("struct", "union", "enum").contains(place.before(2))
                && rule != XdrParser.RULE_unionBody
                && place.isInside(XdrParser.RULE_structBody, XdrParser.RULE_unionBody, XdrParser.RULE_program)) {
            return Optional.of("a " + place.before(2) + " inside another definition has no name of its own: remove `"
                    + place.before(1) + "`; if it begins a definition, a `}` is missing before it");
        }
        return Optional.empty();
    }

    private static boolean isWordOrBound(String text) {
        return ErrorPlace.isWord(text) || CLOSINGS.contains(text);
    }
}
