// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.document;

import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.emplace.compiler.binding.ChunkPlan;

/** The document as Markdown. */
final class MarkdownPage {

    private final StringBuilder out = new StringBuilder();

    private MarkdownPage() {}

    static String of(List<Section> sections, String title) {
        MarkdownPage page = new MarkdownPage();
        page.out.append("# ").append(title).append("\n");
        sections.forEach(page::section);
        return page.out.toString();
    }

    private void section(Section section) {
        out.append("\n## ").append(section.title()).append("\n\n");
        out.append("| | what a binding has to say | required by | |\n|---|---|---|---|\n");
        for (Requirements.Requirement each : section.requirements()) {
            out.append("| %s | %s | %s | %s |\n"
                    .formatted(each.isMet() ? "stated" : "open", each.what(), each.source(), cell(each.answer())));
        }
        out.append("\n").append(section.thresholdSentence()).append("\n\n");
        out.append("| procedure | call | reply | Read chunks | Write chunks |\n|---|---|---|---|---|\n");
        for (Section.Entry entry : section.procedures()) {
            out.append("| %s | %s | %s | %s | %s |\n"
                    .formatted(
                            entry.procedure().name(),
                            entry.call().way(),
                            entry.reply().way(),
                            items(entry.plan().arguments().items()),
                            items(entry.plan().results().items())));
        }
        section.procedures().forEach(this::procedure);
    }

    private static String items(List<ChunkPlan.EligibleItem> items) {
        return items.stream().map(item -> "`" + item.item() + "`").collect(Collectors.joining(", "));
    }

    private static String cell(String text) {
        return text.replace("|", "\\|");
    }

    private void procedure(Section.Entry entry) {
        out.append("\n### ").append(entry.procedure().name()).append("\n\n");
        if (!entry.procedure().documentation().isEmpty()) {
            out.append(entry.procedure().documentation()).append("\n\n");
        }
        for (Message message : entry.messages()) {
            out.append(message.isCall() ? "**Call.** " : "\n**Reply.** ").append(message.verdict());
            out.append(DocumentWording.limit(message))
                    .append("\n\n```\n")
                    .append(stream(message))
                    .append("```\n");
            if (!message.chunks().isEmpty()) {
                out.append('\n');
                message.chunks()
                        .forEach(chunk -> out.append("- ")
                                .append(DocumentWording.chunk(
                                        message, chunk, MarkdownPage::code, UnaryOperator.identity()))
                                .append('\n'));
                DocumentWording.positions(message, MarkdownPage::code)
                        .forEach(line -> out.append("- ").append(line).append('\n'));
            }
        }
    }

    private static String code(String text) {
        return "`" + text + "`";
    }

    /** The message on one line: inline parts between bars, eligible items in brackets. */
    private static String stream(Message message) {
        StringBuilder line = new StringBuilder(message.isCall() ? "| RPC call header |" : "| RPC reply header |");
        for (Message.Piece piece : message.pieces()) {
            if (piece instanceof Message.Piece.Inline inline) {
                line.append(' ').append(String.join(", ", inline.names())).append(" |");
            } else {
                Message.Piece.Chunk chunk = (Message.Piece.Chunk) piece;
                line.append(" [").append(message.chunkWord()).append(": ");
                line.append(chunk.item().item()).append("] |");
            }
        }
        return line.append('\n').toString();
    }
}
