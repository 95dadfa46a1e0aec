// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.emit.code;

import com.palantir.javapoet.CodeBlock;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.emplace.compiler.model.TypeDefinition;
import org.emplace.compiler.source.Span;

/** Javadoc made of comments and definitions in the source. */
public final class Javadoc {
    private static final Pattern EMPTY_LINES = Pattern.compile("\n{2,}");
    private static final Pattern SPACE = Pattern.compile("\\s+");

    private final StringBuilder text = new StringBuilder();

    private Javadoc() {}

    /** Begins with a comment of the source, or with {@code otherwise} if there is none. */
    public static Javadoc of(String comment, String otherwise) {
        Javadoc javadoc = new Javadoc();
        javadoc.text
                .append(comment.isBlank() ? otherwise : fromComment(comment))
                .append("\n");
        return javadoc;
    }

    /** Begins with the comment on a type, or else with its kind and name. Says which it is. */
    public static Javadoc of(TypeDefinition definition, String kind) {
        return of(definition.documentation(), "The " + kind + " {@code " + definition.name() + "}.")
                .from(definition.name(), definition.origin());
    }

    /** Begins with a source comment, if there is one. A sentence of the emitter's own follows in any case. */
    public static Javadoc with(String comment, String sentence) {
        Javadoc javadoc = of(comment, sentence);
        return comment.isBlank() ? javadoc : javadoc.paragraph(sentence);
    }

    /** A sentence of the emitter's own, already in HTML. */
    public static CodeBlock sentence(String html) {
        return CodeBlock.of("$L\n", html);
    }

    /** Adds a paragraph of the emitter's own, already in HTML. */
    public Javadoc paragraph(String html) {
        text.append("\n<p>").append(html).append("\n");
        return this;
    }

    /** Says which definition of the source this is. Has no line number, because a comment elsewhere would change it. */
    public Javadoc from(String xdrName, Span origin) {
        return paragraph("From {@code " + xdrName + "} in " + fromComment(file(origin)) + ".");
    }

    /** Adds the definition in the XDR language. */
    public Javadoc declaration(String xdr) {
        text.append("\n<pre>{@code\n").append(safe(xdr)).append("}</pre>\n");
        return this;
    }

    /** The name of the source file without its folder, which differs between machines. */
    public static String file(Span origin) {
        String file = origin.file().replace('\\', '/');
        return file.substring(file.lastIndexOf('/') + 1);
    }

    public CodeBlock build() {
        return CodeBlock.of("$L", text);
    }

    /** A comment as HTML. Escapes markup, Javadoc tags and the end of the comment; an empty line begins a paragraph. */
    static String fromComment(String comment) {
        String escaped = safe(comment.strip())
                .replace("&", "&amp;")
                .replace("&amp;#", "&#")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("@", "&#64;");
        String stripped = escaped.lines().map(String::strip).collect(Collectors.joining("\n"));
        return EMPTY_LINES.matcher(stripped).replaceAll("\n\n<p>");
    }

    /** A comment on one line. */
    static String inLine(String comment) {
        return SPACE.matcher(fromComment(comment).replace("<p>", "")).replaceAll(" ");
    }

    /** Replaces character sequences that end a comment, and Unicode escapes, which Java interprets even in comments. */
    private static String safe(String text) {
        return text.replace("*/", "*&#47;").replace("\\u", "&#92;u");
    }
}
