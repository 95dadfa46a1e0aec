// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.syntax;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.tree.ErrorNode;
import org.antlr.v4.runtime.tree.ParseTree;
import org.antlr.v4.runtime.tree.ParseTreeWalker;

/** Finds what the clauses in a file's comments belong to: the construct that begins directly after the comment. */
record BindingPlaces(CommonTokenStream tokens) {

    /** The comments with clauses directly before a construct, in their order. */
    List<Token> before(ParserRuleContext construct) {
        int first = construct.getStart().getTokenIndex();
        return bindings(runBefore(first), first);
    }

    /** Whether a comment before a construct in a later line follows the end of another one in its own line, as remarks about that one do. */
    boolean isBehindAnother(Token comment, ParserRuleContext construct) {
        int at = comment.getTokenIndex() - 1;
        while (at > 0 && tokens.get(at).getChannel() == Token.HIDDEN_CHANNEL) {
            at--;
        }
        boolean followsEnd = at >= 0
                && Set.of(XdrLexer.SEMICOLON, XdrLexer.COMMA)
                        .contains(tokens.get(at).getType());
        return followsEnd
                && tokens.get(at).getLine() == comment.getLine()
                && construct.getStart().getLine() > comment.getLine();
    }

    /** The words of a construct with its clauses. Equal texts mean the same. */
    String text(ParserRuleContext construct) {
        StringBuilder text = new StringBuilder();
        int first = runBefore(construct.getStart().getTokenIndex());
        for (int i = first; i <= construct.getStop().getTokenIndex(); i++) {
            Token token = tokens.get(i);
            if (token.getChannel() == Token.DEFAULT_CHANNEL || token.getType() == XdrLexer.DDP) {
                text.append(token.getText()).append(' ');
            }
        }
        return text.toString();
    }

    /** The comments with clauses that precede nothing that can have clauses. Leaves out those in definitions with syntax errors. */
    List<Token> misplaced(XdrParser.FileContext file) {
        if (bindings(0, tokens.size()).isEmpty()) {
            return List.of();
        }
        Set<Token> placed = new HashSet<>();
        ParseTreeWalker.DEFAULT.walk(
                new XdrBaseListener() {
                    @Override
                    public void enterEveryRule(ParserRuleContext tree) {
                        if (canHaveClauses(tree)) {
                            placed.addAll(before(tree));
                        }
                    }
                },
                file);
        Set<Token> misplaced = new LinkedHashSet<>();
        boolean isSound = true;
        int from = 0;
        for (XdrParser.ItemContext item : file.item()) {
            if (isSound(item)) {
                int end = item.getStop().getTokenIndex();
                misplaced.addAll(bindings(runBefore(item.getStart().getTokenIndex()), end));
                from = end;
            } else {
                isSound = false;
            }
        }
        if (isSound) {
            misplaced.addAll(bindings(from, tokens.size()));
        }
        misplaced.removeAll(placed);
        return List.copyOf(misplaced);
    }

    private static boolean canHaveClauses(ParserRuleContext tree) {
        return tree instanceof XdrParser.BoundContext
                || tree instanceof XdrParser.MemberContext
                || tree instanceof XdrParser.EnumeratorContext
                || tree instanceof XdrParser.VersionContext
                || tree instanceof XdrParser.ProcedureContext;
    }

    private static boolean isSound(ParseTree tree) {
        if (tree instanceof ErrorNode || (tree instanceof ParserRuleContext rule && rule.exception != null)) {
            return false;
        }
        for (int i = 0; i < tree.getChildCount(); i++) {
            if (!isSound(tree.getChild(i))) {
                return false;
            }
        }
        return true;
    }

    /** The first token of the run of hidden tokens that ends before a token. */
    private int runBefore(int index) {
        int first = index;
        while (first > 0 && tokens.get(first - 1).getChannel() == Token.HIDDEN_CHANNEL) {
            first--;
        }
        return first;
    }

    private List<Token> bindings(int from, int to) {
        List<Token> bindings = List.of();
        for (int i = from; i < to; i++) {
            Token token = tokens.get(i);
            if (token.getType() == XdrLexer.DDP) {
                bindings = bindings.isEmpty() ? new ArrayList<>() : bindings;
                bindings.add(token);
            }
        }
        return bindings;
    }
}
