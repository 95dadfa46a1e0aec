// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.document;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.emplace.compiler.binding.ChunkPlan.Size;
import org.emplace.compiler.binding.ChunkPosition;

/** Sentences and sizes in words, for both formats of the document. */
final class DocumentWording {

    private DocumentWording() {}

    /** The limit of a message's chunks as a sentence; empty if there is none. */
    static String limit(Message message) {
        if (message.chunks().isEmpty() || message.chunkLimit() == Integer.MAX_VALUE) {
            return "";
        }
        return " It may have " + message.chunkLimit() + " " + message.chunkWord()
                + (message.chunkLimit() == 1 ? "." : "s.");
    }

    /**
     * Which chunk takes which item.
     *
     * @param code marks a path
     */
    static String chunk(
            Message message, Message.Piece.Chunk chunk, UnaryOperator<String> code, UnaryOperator<String> escape) {
        String item = code.apply(chunk.item().placeIn(message.isCall() ? "args" : "results"));
        boolean isNumbered = message.isNumbered(chunk);
        String one = isNumbered ? message.chunkWord() + " " + chunk.number() : "Each " + item;
        String other = isNumbered ? item : "a " + message.chunkWord() + " of its own";
        if (!isNumbered && !chunk.item().isRepeated()) {
            one = item;
        }
        String verb = !message.isCall() ? " takes " : isNumbered ? " may carry " : " may have ";
        Size size = chunk.item().size();
        String most = message.isCall() || size instanceof Size.Unbounded ? "" : "at most ";
        return one + verb + other + ": " + most + escape.apply(size(size)) + ".";
    }

    /** Which results the first Write chunks can take, where that is not the same in all replies. */
    static List<String> positions(Message message, UnaryOperator<String> code) {
        List<String> lines = new ArrayList<>();
        if (message.isFixed()) {
            return lines;
        }
        for (ChunkPosition position : message.positions()) {
            String owners = position.owners().stream().map(code).collect(Collectors.joining(" or "));
            String others = position.others().stream().map(code).collect(Collectors.joining(" or "));
            String between = owners.isEmpty() || others.isEmpty() ? "" : "; if results before are absent, ";
            lines.add(message.chunkWord() + " " + position.number() + " takes " + owners + between + others + ".");
        }
        return lines;
    }

    /** A size in words. */
    static String size(Size size) {
        if (size instanceof Size.Fixed fixed) {
            return bytes(fixed.bytes());
        } else if (size instanceof Size.FromArgument argument) {
            String path = argument.path().isEmpty() ? "args" : "args." + String.join(".", argument.path());
            return path + plus(argument.plus()) + " bytes";
        } else if (size instanceof Size.FromElements elements) {
            return "args." + String.join(".", elements.array()) + "[i]." + String.join(".", elements.path())
                    + plus(elements.plus()) + " bytes";
        } else if (size instanceof Size.PerElement each) {
            return bytes(each.bytes()) + " where args." + String.join(".", each.array()) + "[i]."
                    + String.join(".", each.discriminant()) + " = "
                    + each.selected().label();
        }
        return "unbounded";
    }

    /** A number of bytes in words. */
    static String bytes(long bytes) {
        return String.format(Locale.ROOT, "%,d %s", bytes, bytes == 1 ? "byte" : "bytes");
    }

    private static String plus(long plus) {
        return plus == 0 ? "" : " + " + plus;
    }
}
