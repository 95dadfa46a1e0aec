// SPDX-License-Identifier: Apache-2.0
package org.emplace.texts;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.languagetool.markup.AnnotatedText;
import org.languagetool.markup.AnnotatedTextBuilder;

/** The prose of a page or of the Javadoc in a source, with everything else marked as markup: positions stay those of the file. */
final class Prose {
    private static final Pattern MARKDOWN = pattern(
            // code, comments, rulers of tables
            "(?<block>^ *```.*?^ *```$|<!-- \\w+ -->.*?<!-- end -->|(?<=\n\n) {4,}[^\n]*(?:\n(?: {4,}[^\n]*)?)*|<!--.*?-->|^\\|[-| :]+\\|$)",
            "(?<code>(`+)(?!`).+?\\3)",
            // the marks around a link's text, emphasis, HTML
            "(?<skipped>!?\\[(?=[^]]*\\]\\()|\\]\\([^)]*\\)|\\*\\*|(?<!\\w)\\*(?=\\w)|(?<=\\w)\\*(?!\\w)|</?\\w[^>]*>)",
            // headings, items of lists, cells
            "(?<end>^#+ |^ *[-*] |^ *\\d+\\. | *\\| *)",
            "(?<wrap>(?<!\n)\n(?!\n) *)");

    /** The beginning of code whose name takes the article "an". */
    private static final Pattern VOWEL = Pattern.compile(
            "(?i)(?:\\{@link\\s+(?:\\*\\s)?(?:[a-z]+\\.)*+|\\{@(?!link)\\w+\\s+|<code>|`+)[#<]?(?:[aeiou]|rpc|rdma|xdr)");

    private static final Pattern COMMENT = Pattern.compile("/\\*\\*(?<text>.*?)\\*/", Pattern.DOTALL);

    private static final Pattern JAVADOC = pattern(
            "(?<block><pre>.*?</pre>)",
            "(?<code>\\{@(?:code|link|value)\\s[^}]*\\}|<code>.*?</code>)",
            "(?<skipped>\\{@linkplain\\s+\\S+\\s+|\\}|</?(?!p>|li>)\\w[^>]*>)",
            "(?<end>(?:\n *\\*)* *</?(?:p|li)>|\n *\\* @(?:param|throws) +\\S+|\n *\\* @(?:return|see)\\b|@throws +\\S+)",
            "(?<wrap>\n *\\* ?)");

    private final AnnotatedTextBuilder builder = new AnnotatedTextBuilder();

    private Prose() {}

    private static Pattern pattern(String block, String code, String skipped, String end, String wrap) {
        return Pattern.compile(String.join("|", block, code, skipped, end, wrap), Pattern.MULTILINE | Pattern.DOTALL);
    }

    /** The prose of a Markdown page. */
    static AnnotatedText ofPage(String page) {
        Prose prose = new Prose();
        prose.add(page, MARKDOWN);
        return prose.builder.build();
    }

    /** The prose of all Javadoc comments of a Java source. */
    static AnnotatedText ofJavadoc(String source) {
        Prose prose = new Prose();
        Matcher comment = COMMENT.matcher(source);
        int at = 0;
        while (comment.find()) {
            prose.builder.addMarkup(source.substring(at, comment.start("text")), "\n\n");
            prose.add(comment.group("text"), JAVADOC);
            at = comment.end("text");
        }
        prose.builder.addMarkup(source.substring(at), "\n\n");
        return prose.builder.build();
    }

    private void add(String text, Pattern markup) {
        Matcher found = markup.matcher(text);
        int at = 0;
        while (found.find()) {
            builder.addText(text.substring(at, found.start()));
            builder.addMarkup(found.group(), meaning(found));
            at = found.end();
        }
        builder.addText(text.substring(at));
    }

    /** What stands for markup while its sentence is judged: code is a noun that takes the same article. */
    private static String meaning(Matcher found) {
        String code = found.group("code");
        if (code != null) {
            return VOWEL.matcher(code).lookingAt() ? "Object" : "Code";
        }
        if (found.group("wrap") != null) {
            return " ";
        }
        return found.group("skipped") != null ? "" : "\n\n";
    }
}
