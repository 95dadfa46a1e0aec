// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.emit.code;

import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.JavaFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Lays out files as people write Java: short Javadoc on one line, and a list on one line or with one line for each element. JavaPoet prints into it.
 *
 * <p>A line can be broken at the marks of {@link #arguments}, {@link #operands} and {@link #labels}, and where JavaPoet itself would break a
 * declaration. There, JavaPoet appends the space or the line break that it chooses as a single character; it appends everything else as text.
 */
public final class Layout implements Appendable {
    private static final int WIDTH = 120;
    private static final String CONTINUATION = "        ";
    private static final char MARK = '\u0001';
    private static final char INNER = '\u0002';
    private static final int LABELS_WIDTH = 80;

    private final List<String> lines = new ArrayList<>();
    private final StringBuilder line = new StringBuilder();
    private boolean isDeclaration;

    /** Whether the line belongs to a definition that Javadoc quotes verbatim. */
    private boolean isCopied;

    /** Whether a line of this paragraph of Javadoc was too long, so that its other lines are filled up. */
    private boolean isFilled;

    private Layout() {}

    public static String print(JavaFile file) {
        Layout layout = new Layout();
        try {
            file.writeTo(layout);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return String.join("\n", layout.lines) + "\n";
    }

    /** Arguments in parentheses. */
    public static CodeBlock arguments(List<CodeBlock> arguments) {
        return CodeBlock.of("($L$L)", MARK, CodeBlock.join(arguments, ", " + MARK));
    }

    /** Arguments that may stand between other arguments. */
    public static CodeBlock innerArguments(List<CodeBlock> arguments) {
        return CodeBlock.of("($L$L)", INNER, CodeBlock.join(arguments, ", " + INNER));
    }

    /** Arguments in parentheses. The last ones, which have arguments of their own, begin lines. */
    public static CodeBlock tree(List<CodeBlock> first, List<CodeBlock> last) {
        String begin = first.isEmpty() ? "" : MARK + "";
        String end = first.isEmpty() ? "" : ",";
        return CodeBlock.of(
                "($L$L$L$>\n$L)$<", begin, CodeBlock.join(first, ", " + MARK), end, CodeBlock.join(last, ",\n"));
    }

    /** Operands with an operator between them. The operator begins a line. */
    public static CodeBlock operands(List<CodeBlock> operands, String operator) {
        return CodeBlock.join(operands, " " + MARK + operator + " ");
    }

    /** A conditional expression. */
    public static CodeBlock choice(CodeBlock condition, CodeBlock then, CodeBlock otherwise) {
        return CodeBlock.of("$L $L? $L $L: $L", condition, MARK, then, MARK, otherwise);
    }

    /** Calls on the results of the calls before them. */
    public static CodeBlock chain(List<CodeBlock> calls) {
        return CodeBlock.join(calls, String.valueOf(MARK));
    }

    /** The labels of a case, as many on a line as fit. */
    public static CodeBlock labels(List<CodeBlock> labels) {
        CodeBlock.Builder code = CodeBlock.builder();
        int width = 0;
        for (CodeBlock label : labels) {
            boolean isFirst = code.isEmpty();
            width += label.toString().length() + 2;
            code.add("$L$L$L", isFirst ? "" : ", ", width > LABELS_WIDTH ? MARK : "", label);
            width = width > LABELS_WIDTH ? 0 : width;
        }
        return code.build();
    }

    @Override
    public Appendable append(CharSequence text) {
        String added = text.toString();
        int start = 0;
        for (int end = added.indexOf('\n'); end >= 0; end = added.indexOf('\n', start)) {
            line.append(added, start, end);
            end();
            start = end + 1;
        }
        line.append(added, start, added.length());
        return this;
    }

    @Override
    public Appendable append(CharSequence text, int start, int end) {
        return append(text.subSequence(start, end));
    }

    @Override
    public Appendable append(char breakable) {
        isDeclaration = true;
        boolean isBehindParenthesis = line.charAt(line.length() - 1) == '(';
        line.append(isBehindParenthesis ? "" : " ").append(MARK);
        return this;
    }

    private void end() {
        String text = line.toString();
        String content = text.strip();
        if (!content.isEmpty() && !content.startsWith("/**") && isBehindConstant()) {
            lines.remove(lines.size() - 1);
        }
        isCopied = content.startsWith("* <pre>") || (isCopied && !content.endsWith("</pre>"));
        boolean fills = content.startsWith("*") && !isCopied && (text.length() > WIDTH || goesOn(content));
        if (isDeclaration) {
            addDeclaration(text);
        } else if (fills) {
            addWrapped(goesOn(content) ? lines.remove(lines.size() - 1) + content.substring(1) : text);
        } else if (!joins(content)) {
            addBroken(text);
        }
        line.setLength(0);
        isDeclaration = false;
        isFilled = fills;
    }

    /** Whether a line of Javadoc goes on with a paragraph that is filled up: neither empty nor a tag, an element or an entry of a list. */
    private boolean goesOn(String content) {
        return isFilled && content.startsWith("* ") && "@<-*".indexOf(content.charAt(2)) < 0;
    }

    /** Whether an empty line follows an enum's constant. Only constants with comments need one. */
    private boolean isBehindConstant() {
        int last = lines.size() - 1;
        return last > 0 && lines.get(last).isEmpty() && lines.get(last - 1).endsWith("),");
    }

    /** Adds a line of Javadoc, wrapped between words. */
    private void addWrapped(String text) {
        String continuation = text.strip().startsWith("* @") ? "*     " : "* ";
        String margin = text.substring(0, text.indexOf('*'));
        String rest = text;
        for (int end = rest.lastIndexOf(' ', WIDTH);
                rest.length() > WIDTH && end > margin.length() + continuation.length();
                end = rest.lastIndexOf(' ', WIDTH)) {
            lines.add(rest.substring(0, end));
            rest = margin + continuation + rest.substring(end + 1);
        }
        lines.add(rest);
    }

    /** Whether a line closes a block of at most one line, and so joins that line. */
    private boolean joins(String closing) {
        int last = lines.size() - 1;
        if (closing.equals("}") && lines.get(last).endsWith("{")) {
            lines.set(last, lines.get(last) + closing);
            return true;
        }
        if (closing.equals("*/") && lines.get(last - 1).strip().equals("/**")) {
            String text = lines.get(last).strip().substring(1);
            String joined = lines.get(last - 1) + text + " " + closing;
            if (joined.length() <= WIDTH) {
                lines.remove(last);
                lines.set(last - 1, joined);
                return true;
            }
        }
        return false;
    }

    /** Adds a declaration. What follows the parameters gets its own line if the declaration does not fit on one. */
    private void addDeclaration(String text) {
        int open = text.indexOf('(') + 1;
        int close = text.lastIndexOf(')') + 1;
        String parameters = text.substring(open, close);
        boolean isMarked = parameters.charAt(0) == MARK || parameters.equals(")");
        String marked = text.substring(0, open) + (isMarked ? "" : MARK) + parameters;
        String clause = plain(text.substring(close));
        boolean isClause = clause.length() > " {".length();
        if (isClause && plain(marked).length() + clause.length() > WIDTH) {
            addBroken(marked);
            lines.add(margin(text) + clause.strip());
        } else {
            addBroken(marked + clause);
        }
    }

    /** Adds a line: unbroken if it fits; or else with the content of the parentheses on its own line; or else with one line for each mark. */
    private void addBroken(String text) {
        int first = text.indexOf(MARK);
        if (plain(text).length() <= WIDTH) {
            lines.add(plain(text));
            return;
        }
        if (first < 0) {
            if (text.indexOf(INNER) < 0) {
                lines.add(text);
            } else {
                addBroken(text.replace(INNER, MARK));
            }
            return;
        }
        String margin = margin(text);
        String rest = margin + plain(text.substring(first + 1)).strip();
        if (text.charAt(first - 1) == '(' && rest.length() <= WIDTH) {
            lines.add(text.substring(0, first));
            lines.add(rest);
            return;
        }
        int start = 0;
        for (int end = first; end >= 0; end = text.indexOf(MARK, start)) {
            add(start == 0 ? "" : margin, text.substring(start, end));
            start = end + 1;
        }
        add(margin, text.substring(start));
    }

    private void add(String margin, String text) {
        addBroken((margin + (margin.isEmpty() ? text : text.strip())).stripTrailing());
    }

    private static String margin(String text) {
        return " ".repeat(text.length() - text.stripLeading().length()) + CONTINUATION;
    }

    /** A line without marks and without the indentation that JavaPoet writes after its line breaks. */
    private static String plain(String text) {
        if (text.indexOf(MARK) < 0 && text.indexOf(INNER) < 0) {
            return text;
        }
        StringBuilder plain = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c != MARK && c != INNER) {
                plain.append(c);
                continue;
            }
            while (i + 1 < text.length() && text.charAt(i + 1) == ' ') {
                i++;
            }
        }
        return plain.toString();
    }
}
