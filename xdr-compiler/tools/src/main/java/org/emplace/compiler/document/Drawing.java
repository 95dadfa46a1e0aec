// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.document;

import java.util.ArrayList;
import java.util.List;
import org.emplace.compiler.binding.ChunkPlan.Size;

/** A message as SVG: at the top the Send, and below it the chunks of eligible items. The page defines the colors. */
final class Drawing {

    private static final int LINE = 17;
    private static final int CHARACTERS = 22;
    private static final int MOST_LINES = 6;
    private static final double CHARACTER_WIDTH = 7.2;
    private static final int PADDING = 12;
    private static final int TOP = 26;
    private static final int GAP = 46;
    private static final int SLOT = 30;
    private static final int CHUNK_WIDTH = 230;
    private static final int CHUNK_CHARACTERS = 60;

    private final StringBuilder svg = new StringBuilder();
    private final Message message;
    private final int rowHeight;
    private int x;
    private int chunkX;

    private Drawing(Message message) {
        this.message = message;
        this.rowHeight = PADDING * 2
                + LINE
                        * message.pieces().stream()
                                .mapToInt(piece -> piece instanceof Message.Piece.Inline inline
                                        ? lines(inline).size()
                                        : 2)
                                .max()
                                .orElse(2);
    }

    static String of(Message message, String title) {
        return new Drawing(message).draw(title);
    }

    private String draw(String title) {
        box("header", List.of("RPC-over-RDMA", "header"));
        box("header", List.of("RPC " + (message.isCall() ? "call" : "reply"), "header"));
        for (Message.Piece piece : message.pieces()) {
            if (piece instanceof Message.Piece.Inline inline) {
                box("inline", lines(inline));
            } else {
                chunk((Message.Piece.Chunk) piece);
            }
        }
        int width = Math.max(Math.max(x, chunkX), 320) + 2;
        boolean hasChunks = !message.chunks().isEmpty();
        int height = TOP + rowHeight + (hasChunks ? GAP + chunkHeight() : 0) + 2;
        String frame = "<rect class=\"send%s\" x=\"1\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"6\"/>"
                .formatted(message.alwaysFits() ? "" : " open", TOP, Math.max(x - 1, 1), rowHeight);
        return """
                <svg viewBox="0 0 %d %d" width="%d" height="%d" role="img" aria-label="%s">
                <text class="row" x="2" y="16">%s</text>
                %s%s
                </svg>
                """.formatted(width, height, width, height, escape(title), escape(message.send()), svg, frame);
    }

    private void box(String kind, List<String> lines) {
        int width = width(lines);
        rectangle(kind, x + 1, TOP, width, rowHeight);
        text(lines, x + 1 + width / 2, TOP, rowHeight, "");
        x += width;
    }

    /** Draws the item's place in the stream, and its chunk below. */
    private void chunk(Message.Piece.Chunk chunk) {
        int slot = x + 1 + SLOT / 2;
        rectangle("slot", x + 1, TOP, SLOT, rowHeight);
        x += SLOT;
        List<String> lines = lines(chunk);
        int width = Math.max(CHUNK_WIDTH, width(lines));
        int left = Math.max(chunkX, slot - 1 - width / 2);
        int top = TOP + rowHeight + GAP;
        int height = chunkHeight();
        int middle = left + 1 + width / 2;
        int turn = TOP + rowHeight + GAP / 2;
        svg.append("<path class=\"arrow\" d=\"M%d %dV%dH%dV%d\" marker-end=\"url(#tip)\"/>\n"
                .formatted(slot, TOP + rowHeight / 2, turn, middle, top - 2));
        rectangle("chunk", left + 1, top, width, height);
        text(lines, middle, top, height, " strong");
        chunkX = left + width + PADDING;
    }

    private int chunkHeight() {
        int lines = message.chunks().stream()
                .mapToInt(chunk -> lines(chunk).size())
                .max()
                .orElse(0);
        return PADDING * 2 + LINE * lines;
    }

    /** The lines of text for a chunk: its kind, its item and its largest size. A condition is on a line of its own. */
    private List<String> lines(Message.Piece.Chunk chunk) {
        List<String> lines = new ArrayList<>();
        String number = message.isNumbered(chunk) ? " " + chunk.number() : "";
        lines.add(message.chunkWord() + (chunk.item().isRepeated() ? "s, one each" : number));
        lines.add(shortened(chunk.item().item().toString()));
        Size size = chunk.item().size();
        String most = size instanceof Size.Unbounded ? "of any size" : "\u2264 " + DocumentWording.size(size);
        for (String line : most.split(" (?=where )", -1)) {
            lines.add(shortened(line));
        }
        return lines;
    }

    private void rectangle(String kind, int left, int top, int width, int height) {
        svg.append("<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n"
                .formatted(kind, left, top, width, height));
    }

    private void text(List<String> lines, int middle, int top, int height, String firstClass) {
        int y = top + (height - lines.size() * LINE) / 2 + 13;
        for (int i = 0; i < lines.size(); i++) {
            svg.append("<text class=\"label%s\" x=\"%d\" y=\"%d\">%s</text>\n"
                    .formatted(i == 0 ? firstClass : "", middle, y + i * LINE, escape(lines.get(i))));
        }
    }

    private static int width(List<String> lines) {
        int longest = lines.stream().mapToInt(String::length).max().orElse(0);
        return (int) Math.ceil(longest * CHARACTER_WIDTH) + 2 * PADDING;
    }

    /** The names, wrapped, and the size below. */
    private static List<String> lines(Message.Piece.Inline inline) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < inline.names().size(); i++) {
            String name = inline.names().get(i) + (i + 1 < inline.names().size() ? "," : "");
            if (line.length() > 0 && line.length() + 1 + name.length() > CHARACTERS) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.length() > 0 ? " " : "").append(name);
        }
        lines.add(line.toString());
        List<String> shown = lines.size() <= MOST_LINES ? lines : new ArrayList<>(lines.subList(0, MOST_LINES - 1));
        if (shown.size() < lines.size()) {
            shown.add("\u2026");
        }
        shown.add(
                inline.largest() instanceof Size.Fixed
                        ? "\u2264 " + DocumentWording.size(inline.largest())
                        : "unbounded");
        return shown;
    }

    private static String shortened(String text) {
        return text.length() <= CHUNK_CHARACTERS ? text : text.substring(0, CHUNK_CHARACTERS - 1) + "\u2026";
    }

    /** Escapes text for HTML or SVG. */
    static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
