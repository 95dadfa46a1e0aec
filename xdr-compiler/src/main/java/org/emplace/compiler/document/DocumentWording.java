// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.document;

import java.util.Locale;
import java.util.function.UnaryOperator;
import org.emplace.compiler.binding.ChunkPlan.Size;

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

    /** Which chunk takes which item. */
    static String chunk(
            Message message,
            Message.Piece.Chunk chunk,
            String codeBegin,
            String codeEnd,
            UnaryOperator<String> escape) {
        String path = (message.isCall() ? "args" : "results")
                + chunk.item().path().stream()
                        .map(name -> name.equals("[]") ? name : "." + name)
                        .reduce("", String::concat);
        String item = codeBegin + escape.apply(path) + codeEnd;
        boolean isRepeated = chunk.item().path().contains("[]");
        String one = isRepeated ? "Each " + item : message.chunkWord() + " " + chunk.number();
        String other = isRepeated ? "a " + message.chunkWord() + " of its own" : item;
        String verb = !message.isCall() ? " takes " : isRepeated ? " may have " : " may carry ";
        Size size = chunk.item().size();
        String most = message.isCall() || size instanceof Size.Unbounded ? "" : "at most ";
        return one + verb + other + ": " + most + escape.apply(size(size)) + ".";
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
