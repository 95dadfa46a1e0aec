// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.document;

import static org.emplace.compiler.document.Drawing.escape;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.emplace.compiler.binding.ChunkPlan;

/** The document as a self-contained HTML file. */
final class HtmlPage {

    private final StringBuilder out = new StringBuilder();

    private HtmlPage() {}

    static String of(List<Section> sections, String title) {
        HtmlPage page = new HtmlPage();
        page.head(title);
        sections.forEach(page::section);
        return page.out.append("</main>\n</body>\n</html>\n").toString();
    }

    private void head(String title) {
        out.append("""
                <!DOCTYPE html>
                <html lang="en">
                <head>
                <meta charset="utf-8">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <meta name="color-scheme" content="light dark">
                <title>%1$s</title>
                <style>
                %2$s</style>
                </head>
                <body>
                <svg width="0" height="0" aria-hidden="true"><defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" \
                markerWidth="7" markerHeight="7" orient="auto"><path class="tip" d="M0 0L8 4L0 8z"/></marker></defs></svg>
                <main>
                <h1>%1$s</h1>
                <p class="lead">Which data items of these protocols may be placed directly into the peer's memory when they run over \
                RPC-over-RDMA version 1, and by which chunks: an Upper Layer Binding in the sense of RFC 8166 section 6.</p>
                """.formatted(escape(title), style()));
    }

    private static String style() {
        try (InputStream in = Objects.requireNonNull(HtmlPage.class.getResourceAsStream("document.css"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void section(Section section) {
        out.append("<section>\n<h2>").append(escape(section.title())).append("</h2>\n");
        out.append("<p>Program number %d (0x%s). %s</p>\n"
                .formatted(
                        section.program().number(),
                        Long.toHexString(section.program().number()),
                        escape(section.version().documentation())));
        requirements(section);
        overview(section);
        section.procedures().forEach(entry -> procedure(section, entry));
        out.append("</section>\n");
    }

    private void requirements(Section section) {
        out.append("<h3>What a binding has to say</h3>\n<div class=\"wide\"><table class=\"requirements\">\n");
        for (Requirements.Requirement each : section.requirements()) {
            out.append("<tr><td class=\"%s\">%s</td><td><strong>%s</strong><br><small>%s</small></td><td>%s</td></tr>\n"
                    .formatted(
                            each.isMet() ? "met" : "open",
                            each.isMet() ? "stated" : "open",
                            escape(each.what()),
                            escape(each.source()),
                            escape(each.answer())));
        }
        out.append("</table></div>\n");
    }

    private void overview(Section section) {
        out.append("<h3>Procedures</h3>\n<p>")
                .append(escape(section.thresholdSentence()))
                .append("</p>\n");
        out.append(
                "<div class=\"wide\"><table class=\"overview\">\n<tr><th>Procedure<th>Call<th>Reply<th>Read chunks<th>Write chunks</tr>\n");
        for (Section.Entry entry : section.procedures()) {
            ChunkPlan plan = entry.plan();
            out.append("<tr><td><a href=\"#%s\">%s</a></td><td>%s</td><td>%s</td><td>%s</td><td>%s</td></tr>\n"
                    .formatted(
                            anchor(section, entry),
                            escape(entry.procedure().name()),
                            way(entry.call()),
                            way(entry.reply()),
                            items(plan.arguments().items()),
                            items(plan.results().items())));
        }
        out.append("</table></div>\n");
    }

    private static String way(Message message) {
        return "<span class=\"%s\">%s</span>".formatted(message.alwaysFits() ? "fits" : "long", message.way());
    }

    private static String items(List<ChunkPlan.EligibleItem> items) {
        StringBuilder out = new StringBuilder();
        for (ChunkPlan.EligibleItem item : items) {
            out.append(out.length() > 0 ? "<br>" : "")
                    .append("<code>")
                    .append(escape(item.item().toString()).replace(".", ".<wbr>"))
                    .append("</code>");
        }
        return out.toString();
    }

    private void procedure(Section section, Section.Entry entry) {
        out.append("<article id=\"%s\">\n<h3>%s <span class=\"number\">procedure %d</span></h3>\n"
                .formatted(
                        anchor(section, entry),
                        escape(entry.procedure().name()),
                        entry.procedure().number()));
        if (!entry.procedure().documentation().isEmpty()) {
            out.append("<p>").append(escape(entry.procedure().documentation())).append("</p>\n");
        }
        for (Message message : entry.messages()) {
            figure(entry, message);
        }
        out.append("</article>\n");
    }

    private void figure(Section.Entry entry, Message message) {
        String kind = message.isCall() ? "Call" : "Reply";
        out.append("<figure>\n<figcaption><strong>%s.</strong> %s%s</figcaption>\n<div class=\"wide\">\n"
                .formatted(kind, escape(message.verdict()), escape(DocumentWording.limit(message))));
        out.append(Drawing.of(message, kind + " of " + entry.procedure().name() + ": " + message.verdict()));
        out.append("</div>\n");
        if (!message.chunks().isEmpty()) {
            out.append("<ul>\n");
            message.chunks()
                    .forEach(chunk -> out.append("<li>")
                            .append(DocumentWording.chunk(message, chunk, HtmlPage::code, Drawing::escape))
                            .append("</li>\n"));
            DocumentWording.positions(message, HtmlPage::code)
                    .forEach(line -> out.append("<li>").append(line).append("</li>\n"));
            out.append("</ul>\n");
        }
        out.append("</figure>\n");
    }

    private static String code(String text) {
        return "<code>" + escape(text) + "</code>";
    }

    private static String anchor(Section section, Section.Entry entry) {
        return (section.program().name() + "-" + section.version().number() + "-"
                        + entry.procedure().name())
                .toLowerCase(Locale.ROOT);
    }
}
