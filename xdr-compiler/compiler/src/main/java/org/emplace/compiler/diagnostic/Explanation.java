// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.diagnostic;

import java.util.ArrayList;
import java.util.List;

/**
 * The explanation of a diagnostic's code. It is read from a Markdown file for each code, such as {@code E101.md}: a heading with the code and a short
 * title, paragraphs, and the sections {@code Example} and {@code Fix} with fenced blocks.
 *
 * @param code as in {@link Diagnostic#code}
 * @param title what is wrong, in a few words
 * @param text paragraphs: what it means, and why it is so
 * @param example input that gives this diagnostic
 * @param said the compiler's output for the example
 * @param fix the corrected example
 */
public record Explanation(
        String code, String title, List<String> text, List<Block> example, String said, List<Block> fix) {

    private static final String FENCE = "```";
    private static final String SAID = "text";

    /**
     * A fenced block.
     *
     * @param language {@code c} for an XDR file, {@code ulb} for its sidecar, {@code sh} for a command
     */
    public record Block(String language, String text) {}

    public Explanation {
        text = List.copyOf(text);
        example = List.copyOf(example);
        fix = List.copyOf(fix);
    }

    /**
     * Parses an explanation.
     *
     * @throws IllegalArgumentException if a part is missing
     */
    public static Explanation of(String markdown) {
        int example = markdown.indexOf("\n## Example\n");
        int fix = markdown.indexOf("\n## Fix\n");
        int titleEnd = markdown.indexOf('\n');
        int titleStart = markdown.indexOf(": ");
        if (!markdown.startsWith("# ") || titleStart < 0 || titleStart > titleEnd || example < 0 || fix < example) {
            throw new IllegalArgumentException("not a title, a text, an example and a fix: " + markdown);
        }
        List<Block> shown = blocks(markdown.substring(example, fix));
        return new Explanation(
                markdown.substring("# ".length(), titleStart),
                markdown.substring(titleStart + 2, titleEnd),
                paragraphs(markdown.substring(titleEnd, example)),
                shown.stream().filter(block -> !block.language().equals(SAID)).toList(),
                shown.stream()
                        .filter(block -> block.language().equals(SAID))
                        .map(Block::text)
                        .findFirst()
                        .orElse(""),
                blocks(markdown.substring(fix)));
    }

    private static List<String> paragraphs(String text) {
        return List.of(text.strip().split("\n\n+")).stream()
                .map(paragraph -> paragraph.replace('\n', ' '))
                .toList();
    }

    private static List<Block> blocks(String text) {
        List<Block> blocks = new ArrayList<>();
        int start = text.indexOf(FENCE);
        while (start >= 0) {
            int firstLine = text.indexOf('\n', start) + 1;
            int end = text.indexOf(FENCE, firstLine);
            blocks.add(
                    new Block(text.substring(start + FENCE.length(), firstLine - 1), text.substring(firstLine, end)));
            start = text.indexOf(FENCE, end + FENCE.length());
        }
        return blocks;
    }
}
