// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.syntax;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.antlr.v4.runtime.Parser;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.TokenStream;

/** Advice for a syntax error, for those who expect XDR to be as C, Java or Protocol Buffers. */
final class SyntaxHints {

    private static final Set<Integer> OF_DEFINITIONS =
            Set.of(XdrParser.RULE_file, XdrParser.RULE_item, XdrParser.RULE_definition, XdrParser.RULE_defined);

    private static final Set<String> OPENINGS = Set.of("[", "<");
    private static final Set<String> CLOSINGS = Set.of("]", ">");
    private static final Set<String> OPERATORS = Set.of("*", "(", "<", ")");

    /** Words of other languages that begin a definition, and what to do instead. */
    private static final Map<String, String> DEFINITIONS = Map.ofEntries(
            Map.entry("message", "write struct NAME { ... };"),
            Map.entry("class", "write struct NAME { ... };"),
            Map.entry("record", "write struct NAME { ... };"),
            Map.entry("interface", "write program NAME { version NAME { ... } = 1; } = NUMBER;"),
            Map.entry("service", "write program NAME { version NAME { ... } = 1; } = NUMBER;"),
            Map.entry("package", "XDR has no packages: the option --package names that of the Java sources"),
            Map.entry("syntax", "XDR has no versions of its syntax: remove the line"),
            Map.entry("option", "XDR has no options: remove the line"),
            Map.entry("import", "write #include for definitions of another file, or compile both files together"),
            Map.entry("version", "a version belongs in a program: program NAME { version ... } = NUMBER;"));

    /** Words of other languages before a declaration, and what to do instead. */
    private static final Map<String, String> MODIFIERS = Map.ofEntries(
            Map.entry("optional", "write %s *%s for a value that may be absent"),
            Map.entry("repeated", "write %s %s<> for a list"),
            Map.entry("required", "write %s %s: every member is required"),
            Map.entry("signed", "write %s %s without `signed`"),
            Map.entry("const", "write %s %s without `const`"),
            Map.entry("static", "write %s %s without `static`"),
            Map.entry("final", "write %s %s without `final`"),
            Map.entry("extern", "write %s %s without `extern`"),
            Map.entry("public", "write %s %s without `public`"),
            Map.entry("private", "write %s %s without `private`"));

    private final Positions positions;
    private final Parser parser;
    private final Token offending;
    private final TokenStream tokens;

    SyntaxHints(Positions positions, Parser parser, Token offending) {
        this.positions = positions;
        this.parser = parser;
        this.offending = offending;
        this.tokens = parser.getTokenStream();
    }

    /** The advice, if there is some. */
    Optional<String> hint() {
        return Stream.<Supplier<Optional<String>>>of(
                        this::document,
                        this::value,
                        this::integer,
                        this::modifier,
                        this::bounds,
                        this::declaration,
                        this::body,
                        this::definition,
                        this::number,
                        this::keyword)
                .flatMap(each -> each.get().stream())
                .findFirst();
    }

    private Optional<String> document() {
        return DocumentHint.of(positions.text().text());
    }

    /** A value that is an expression, as of a macro. */
    private Optional<String> value() {
        boolean inValue = parser.getContext().getRuleIndex() == XdrParser.RULE_value
                || (OPENINGS.contains(before(1)) && is("("))
                || (before(1).equals("=") && is("("))
                || (before(1).equals("case") && is("("));
        if (inValue && is("(")) {
            return Optional.of(
                    after(1).matches("-?[0-9]\\w*") && after(2).equals(")")
                            ? "write " + after(1) + " without parentheses"
                            : "XDR has no expressions: write the number");
        } else if (is(";") && positions.replacement(offending).isPresent()) {
            return Optional.of("remove the `;` from the macro");
        }
        boolean isOperator = OPERATORS.contains(offending.getText());
        return isOperator && before(2).equals("=") && before(1).matches("\\w+")
                ? Optional.of("XDR has no expressions: write the number")
                : Optional.empty();
    }

    /** {@code long long}, {@code signed int}. */
    private Optional<String> integer() {
        String at = offending.getText();
        if (at.equals("long") && before(1).equals("long")) {
            return Optional.of(
                    before(2).equals("unsigned")
                            ? "write unsigned hyper for unsigned long long"
                            : "write hyper for long long");
        } else if (before(1).equals("signed")
                && Set.of("int", "long", "short", "char", "hyper").contains(at)) {
            boolean isLongLong = at.equals("long") && after(1).equals("long");
            boolean isHyper = at.equals("hyper") || isLongLong;
            return Optional.of(
                    "write " + (isHyper ? "hyper" : "int") + " for signed " + (isLongLong ? "long long" : at));
        } else if (at.equals("unsigned")
                && Set.of("int", "long", "short", "char", "hyper").contains(before(1))) {
            return Optional.of("write unsigned before " + before(1));
        } else if (at.equals("double") && before(1).equals("long")) {
            return Optional.of("write quadruple for long double");
        }
        return Optional.empty();
    }

    /** A word that XDR does not have before a type, which the parser takes for the type. */
    private Optional<String> modifier() {
        String name = offending.getText();
        if (isName(offending) && MODIFIERS.containsKey(before(2)) && isWord(before(1))) {
            return Optional.of(MODIFIERS.get(before(2)).formatted(before(1), name));
        } else if (isKeyword() && MODIFIERS.containsKey(before(1))) {
            String constant = before(1).equals("const") && after(2).equals("=")
                    ? "write const " + after(1) + " = " + after(3) + ";"
                    : "";
            return Optional.of(
                    constant.isEmpty()
                            ? MODIFIERS.get(before(1)).formatted(name, isWord(after(1)) ? after(1) : "NAME")
                            : constant);
        } else if (before(2).equals("const") && isName(offending) && after(1).equals("=")) {
            return Optional.of("write const " + name + " = " + after(2) + ";");
        }
        return Optional.empty();
    }

    private Optional<String> bounds() {
        String at = offending.getText();
        if (OPENINGS.contains(at) && CLOSINGS.contains(before(1))) {
            return Optional.of(arrayOfArrays());
        } else if (at.equals("]") && before(1).equals("[")) {
            String name = before(2);
            return Optional.of(
                    switch (before(3)) {
                        case "char", "byte" -> "write string " + name + "<> (text), opaque " + name + "<> (bytes)";
                        case "opaque", "string" -> "write " + before(3) + " " + name + "<>";
                        default -> "write " + before(3) + " " + name + "<> for an array of any length";
                    });
        } else if (OPENINGS.contains(at) && isTypeBefore()) {
            String name = isWord(after(closing() + 1)) ? after(closing() + 1) : "NAME";
            String type = before(1);
            return Optional.of(
                    switch (type) {
                        case "map", "Map" -> "XDR has no maps: write an array of a struct with the key and the value";
                        case "byte", "char" -> "write opaque " + name + "<> for bytes";
                        case "List", "list", "vector", "set", "Set" -> "write " + after(1) + " " + name + "<>";
                        default -> "write the bound after the name: " + type + " " + name + bound();
                    });
        }
        return Optional.empty();
    }

    private boolean isTypeBefore() {
        int type = parser.getContext().getRuleIndex();
        return type == XdrParser.RULE_declaration || type == XdrParser.RULE_type || type == XdrParser.RULE_qualified;
    }

    /** The number of tokens to the closing bracket. */
    private int closing() {
        int at = 1;
        while (at < 4 && !CLOSINGS.contains(after(at))) {
            at++;
        }
        return at;
    }

    private String bound() {
        StringBuilder bound = new StringBuilder(offending.getText());
        for (int i = 1; i <= closing(); i++) {
            bound.append(after(i));
        }
        return bound.toString().replace("[]", "<>");
    }

    /** A typedef for the inner array, with the names in the text. */
    private String arrayOfArrays() {
        int opening = 2;
        while (opening < 5 && !OPENINGS.contains(before(opening))) {
            opening++;
        }
        StringBuilder outer = new StringBuilder();
        for (int i = opening; i > 0; i--) {
            outer.append(before(i));
        }
        StringBuilder inner = new StringBuilder(offending.getText());
        for (int i = 1; i <= closing(); i++) {
            inner.append(after(i));
        }
        String type = before(opening + 2);
        String name = before(opening + 1);
        return type.equals("string")
                ? "an array of strings needs a typedef: typedef string text" + outer + "; ... text " + name + inner
                        + ";"
                : "an array of arrays needs a typedef: typedef " + type + " row" + inner + "; ... row " + name + outer
                        + ";";
    }

    private Optional<String> declaration() {
        String at = offending.getText();
        int rule = parser.getContext().getRuleIndex();
        if (at.equals(",") && before(2).equals("case")) {
            return Optional.of("write case " + before(1) + ": case " + after(1) + ":");
        } else if (at.equals(",") && isWordOrBound(before(1)) && rule != XdrParser.RULE_value) {
            return Optional.of("write a declaration for each name");
        } else if (at.equals("*") && before(1).equals("void")) {
            return Optional.of("XDR has no pointers to data of any type: write opaque "
                    + (isWord(after(1)) ? after(1) : "NAME") + "<>");
        } else if (at.equals(")") && isInside(XdrParser.RULE_unionBody)) {
            return Optional.of("give the discriminant a name: switch (" + before(1) + " which)");
        } else if (before(1).equals("switch")) {
            return Optional.of("write switch (int which) with the discriminant's type and name");
        } else if (at.equals("}") && before(1).equals(":")) {
            return Optional.of("write void; for an arm without data");
        } else if (at.equals(";") && before(1).equals("break")) {
            return Optional.of("an arm of a union ends by itself: remove `break;`");
        } else if (at.equals("=")
                && isWordOrBound(before(1))
                && isInside(XdrParser.RULE_structBody, XdrParser.RULE_unionBody)) {
            return Optional.of("members have neither numbers nor initial values: remove `= " + after(1) + "`");
        } else if (at.equals(":") && isWord(before(1)) && isInside(XdrParser.RULE_structBody)) {
            return Optional.of(
                    isWord(after(1)) && isWord(after(2))
                            ? "write " + before(1) + "::" + after(1) + " for a name in a namespace"
                            : isWord(after(1))
                                    ? "write the type before the name: " + after(1) + " " + before(1)
                                    : "XDR has no bit fields");
        } else if (at.equals("(") && after(1).equals("*")) {
            return Optional.of("XDR has no pointers to functions");
        } else if (at.equals("{")
                && isWord(before(1))
                && Set.of("struct", "union", "enum").contains(before(2))
                && rule != XdrParser.RULE_unionBody
                && isInside(XdrParser.RULE_structBody, XdrParser.RULE_unionBody, XdrParser.RULE_program)) {
            return Optional.of("a " + before(2) + " inside another definition has no name of its own: remove `"
                    + before(1) + "`; if it begins a definition, a `}` is missing before it");
        }
        return Optional.empty();
    }

    private static boolean isWordOrBound(String text) {
        return isWord(text) || CLOSINGS.contains(text);
    }

    private Optional<String> body() {
        String at = offending.getText();
        if (at.equals("*") && Set.of("struct", "union", "enum").contains(before(1)) && after(2).equals("{")) {
            return Optional.of(pointerDefinition());
        } else if (isInside(XdrParser.RULE_enumBody) && before(1).equals("{") && at.equals("}")) {
            return Optional.of("an enum needs at least one value");
        } else if (isInside(XdrParser.RULE_structBody) && before(1).equals("{") && at.equals("}")) {
            return Optional.of("a struct needs at least one member; use void where there is nothing to say");
        } else if (isInside(XdrParser.RULE_enumBody)
                && parser.getExpectedTokens().contains(XdrParser.COMMA)) {
            return Optional.of("write a comma between enumerators");
        } else if (at.equals(":") && before(2).equals("enum")) {
            return Optional.of("the values of an enum are ints: remove `: " + after(1) + "`");
        } else if (isName(offending)
                && before(2).equals("enum")
                && Set.of("class", "struct").contains(before(1))) {
            return Optional.of("write enum " + at + " { ... };");
        } else if (at.equals("{") && before(2).equals("union")) {
            return Optional.of(
                    after(1).equals("switch")
                            ? "write union " + before(1) + " switch (...) { case ... }"
                            : "write union " + before(1)
                                    + " switch (int which) { case 1: ... }: a value tells which arm follows");
        } else if (at.equals("}") && before(1).equals("{") && isInside(XdrParser.RULE_unionBody)) {
            return Optional.of("a union needs at least one case");
        } else if (at.equals(";")
                && Set.of("struct", "union", "enum").contains(before(2))
                && parser.getExpectedTokens().contains(XdrParser.OPENING_BRACE)) {
            return Optional.of("XDR has no declarations without a body: remove the line");
        } else if (at.equals("(") && Set.of("struct", "enum").contains(before(2))) {
            return Optional.of("write braces around the body");
        } else if (parser.getContext().getRuleIndex() == XdrParser.RULE_program
                && before(1).equals("{")) {
            return Optional.of("procedures belong in a version of the program: version NAME { ... } = 1;");
        } else if (at.equals("(")
                && isInside(XdrParser.RULE_procedure)
                && parser.getExpectedTokens().contains(XdrParser.IDENTIFIER)) {
            return Optional.of("write the type of the result first: void " + before(1) + "(...)");
        }
        return Optional.empty();
    }

    /** The struct for a pointer to it, as RFC 1833 writes one. */
    private String pointerDefinition() {
        String name = after(1);
        StringBuilder members = new StringBuilder();
        for (int i = 3; i < 40 && !after(i).equals("}") && !after(i).isEmpty(); i++) {
            boolean isNext = after(i).equals(name) && isWord(after(i + 1));
            boolean isJoined = Set.of(";", "[", "]", "<", ">").contains(after(i))
                    || Set.of("[", "<").contains(after(i - 1));
            members.append(isJoined ? "" : " ").append(after(i)).append(isNext ? " *" + after(++i) : "");
        }
        return "write " + before(1) + " " + name + " {" + members + " }; and refer to it by " + name + " *";
    }

    private Optional<String> definition() {
        String at = offending.getText();
        int rule = parser.getContext().getRuleIndex();
        boolean amongDefinitions = !isInside(
                XdrParser.RULE_structBody, XdrParser.RULE_unionBody, XdrParser.RULE_enumBody, XdrParser.RULE_program);
        if (!amongDefinitions) {
            return Set.of("rpc", "oneof").contains(before(1))
                            || Set.of("rpc", "oneof").contains(at)
                    ? Optional.of(
                            (at + before(1)).contains("rpc")
                                    ? "write a procedure as RESULT NAME(ARGUMENT) = NUMBER;"
                                    : "write union switch (int which) { case 1: ... } NAME;")
                    : Optional.empty();
        }
        if (at.equals("{") && Set.of("struct", "union", "enum").contains(before(1))) {
            return Optional.of("write the name before the braces: " + before(1) + " NAME { ... };");
        } else if (at.equals("{") && before(3).equals("typedef")) {
            return Optional.of("write " + before(2) + " " + before(1) + " { ... }; without typedef");
        } else if (isName(offending) && before(1).equals("}")) {
            return Optional.of("write the name before the braces: struct " + at + " { ... };");
        } else if ((at.equals(";") && Set.of(";", "").contains(before(1)))
                || (at.equals("}") && rule == XdrParser.RULE_file)) {
            return Optional.of("remove the `" + at + "`");
        } else if (OF_DEFINITIONS.contains(rule)) {
            return Optional.ofNullable(DEFINITIONS.get(at))
                    .or(() -> MODIFIERS.containsKey(at) ? Optional.of("remove `" + at + "`") : Optional.empty())
                    .or(() -> isDeclaration()
                            ? Optional.of(
                                    "a declaration belongs in a struct or union, and a procedure in a version of a program")
                            : Optional.empty());
        }
        return Optional.empty();
    }

    /** Whether a declaration or a procedure begins here. */
    private boolean isDeclaration() {
        boolean isProcedure = isName(offending) && (after(2).equals("(") || after(1).equals("("));
        return isProcedure
                || Set.of("int", "void", "string", "bool", "unsigned", "hyper").contains(offending.getText());
    }

    /** The number that a program, a version or a procedure lacks. */
    private Optional<String> number() {
        boolean wantsNumber = parser.getExpectedTokens().contains(equalSign())
                && parser.getExpectedTokens().size() == 1;
        return switch (wantsNumber ? parser.getContext().getRuleIndex() : -1) {
            case XdrParser.RULE_program -> Optional.of("a program ends with its number: } = 0x20000001;");
            case XdrParser.RULE_version -> Optional.of("a version ends with its number: } = 1;");
            case XdrParser.RULE_procedure -> Optional.of("a procedure ends with its number: = 1;");
            default -> Optional.empty();
        };
    }

    private int equalSign() {
        return parser.getTokenType("'='");
    }

    private Optional<String> keyword() {
        return isKeyword() && parser.getExpectedTokens().contains(XdrParser.IDENTIFIER)
                ? Optional.of("`" + offending.getText() + "` is a keyword, which cannot be a name")
                : Optional.empty();
    }

    private boolean isKeyword() {
        return !isName(offending) && isWord(offending.getText());
    }

    private static boolean isName(Token token) {
        return token.getType() == XdrParser.IDENTIFIER;
    }

    private static boolean isWord(String text) {
        return !text.isEmpty() && (Character.isLetter(text.charAt(0)) || text.charAt(0) == '_');
    }

    private boolean is(String text) {
        return offending.getText().equals(text);
    }

    private boolean isInside(Integer... rules) {
        return parser.getRuleInvocationStack().stream()
                .anyMatch(
                        rule -> Set.of(rules).contains(parser.getRuleIndexMap().get(rule)));
    }

    /** The text of a visible token before the offending one; empty if there is none. */
    private String before(int count) {
        return visible(-1, count);
    }

    /** The text of a visible token after the offending one; empty if there is none. */
    private String after(int count) {
        return visible(1, count);
    }

    private String visible(int step, int count) {
        int left = count;
        int at = offending.getTokenIndex();
        while (left > 0) {
            at += step;
            if (at < 0 || at >= tokens.size() || tokens.get(at).getType() == Token.EOF) {
                return "";
            }
            left -= tokens.get(at).getChannel() == Token.DEFAULT_CHANNEL ? 1 : 0;
        }
        return count == 0 ? offending.getText() : tokens.get(at).getText();
    }
}
