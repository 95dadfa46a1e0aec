// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.document;

import java.util.function.UnaryOperator;

/** Sentences that both kinds of document have. */
final class Wording {

    private Wording() {}

    /** A limit of chunks, if there is one to speak of. */
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
        boolean isRepeated = chunk.item().path().contains("[]");
        return (isRepeated ? "A " + message.chunkWord() + " each" : message.chunkWord() + " " + chunk.number())
                + (message.isCall() ? " may carry " : " takes ") + codeBegin + escape.apply(path) + codeEnd + ": "
                + escape.apply(SizeText.of(chunk.item().size())) + (message.isCall() ? "." : " at most.");
    }
}
