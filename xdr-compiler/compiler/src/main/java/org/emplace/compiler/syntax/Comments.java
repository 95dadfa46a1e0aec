// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.syntax;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.Token;

/** Finds the documentation of a construct: the comments directly before it, without a blank line between, and those that begin on its last line. */
record Comments(CommonTokenStream tokens) {

    /** The text of the comments beside a construct, given by its first and last visible tokens. */
    String beside(Token first, Token last) {
        List<String> texts = new ArrayList<>();
        Token start = firstClauses(first);
        before(start).forEach(comment -> texts.add(text(comment)));
        tokens.getTokens().subList(start.getTokenIndex(), first.getTokenIndex()).stream()
                .filter(Comments::isComment)
                .forEach(comment -> texts.add(text(comment)));
        after(last).forEach(comment -> texts.add(text(comment)));
        return texts.stream().filter(text -> !text.isEmpty()).collect(Collectors.joining("\n"));
    }

    /** The same for an element of a list, whose comment may follow its comma. */
    String besideListed(Token first, Token last) {
        int next = last.getTokenIndex() + 1;
        while (tokens.get(next).getChannel() == Token.HIDDEN_CHANNEL) {
            next++;
        }
        return beside(first, tokens.get(next).getType() == XdrLexer.COMMA ? tokens.get(next) : last);
    }

    /** The first comment with clauses directly before a token; the token itself if there is none. */
    private Token firstClauses(Token first) {
        Token start = first;
        for (int i = first.getTokenIndex() - 1; i >= 0 && tokens.get(i).getChannel() == Token.HIDDEN_CHANNEL; i--) {
            start = tokens.get(i).getType() == XdrLexer.DDP ? tokens.get(i) : start;
        }
        return start;
    }

    private List<Token> before(Token first) {
        List<Token> comments = new ArrayList<>();
        int below = first.getLine();
        for (int i = first.getTokenIndex() - 1; i >= 0; i--) {
            Token token = tokens.get(i);
            if (token.getType() == XdrLexer.WHITE_SPACE) {
                continue;
            }
            if (!isComment(token) || below - endLine(token) > 1 || followsSomethingOnItsLine(token)) {
                break;
            }
            comments.add(token);
            below = token.getLine();
        }
        Collections.reverse(comments);
        return comments;
    }

    private List<Token> after(Token last) {
        List<Token> comments = new ArrayList<>();
        int line = last.getLine();
        for (int i = last.getTokenIndex() + 1; i < tokens.size(); i++) {
            Token token = tokens.get(i);
            if (token.getType() == XdrLexer.WHITE_SPACE) {
                continue;
            }
            if (token.getLine() != line) {
                break;
            }
            if (token.getType() == XdrLexer.DDP) {
                return List.of();
            }
            if (token.getChannel() == Token.DEFAULT_CHANNEL && token.getType() != Token.EOF) {
                return token.getType() == XdrLexer.CLOSING_BRACE ? comments : List.of();
            }
            if (isComment(token)) {
                comments.add(token);
                line = endLine(token);
            }
        }
        return comments;
    }

    private boolean followsSomethingOnItsLine(Token comment) {
        for (int i = comment.getTokenIndex() - 1; i >= 0 && endLine(tokens.get(i)) == comment.getLine(); i--) {
            if (tokens.get(i).getChannel() == Token.DEFAULT_CHANNEL) {
                return true;
            }
        }
        return false;
    }

    private static boolean isComment(Token token) {
        return token.getType() == XdrLexer.COMMENT;
    }

    private static int endLine(Token token) {
        return token.getLine()
                + (int) token.getText().chars().filter(c -> c == '\n').count();
    }

    /** The text of a comment without its delimiters. */
    private static String text(Token comment) {
        String raw = comment.getText();
        String inner = raw.startsWith("//") ? raw.substring(2) : raw.substring(2, raw.length() - 2);
        return inner.lines()
                .map(line -> line.strip().replaceFirst("^[*!<]+ ?", "").stripTrailing())
                .collect(Collectors.joining("\n"))
                .strip();
    }
}
