// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.syntax;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.antlr.v4.runtime.tree.ParseTree;
import org.antlr.v4.runtime.tree.TerminalNode;

/** The source text of constructs. */
final class SourceWords {

    private static final Set<String> JOINED_BEFORE = Set.of(":", ";", ",", "<", ">", "[", "]", ")", "::");
    private static final Set<String> JOINED_AFTER = Set.of("<", "[", "(", "*", "::");

    private SourceWords() {}

    /** A construct as text. Blanks separate its words, except words that belong to the one before. */
    static String of(ParseTree tree) {
        List<String> words = new ArrayList<>();
        collect(tree, words);
        StringBuilder text = new StringBuilder();
        String before = "";
        for (String word : words) {
            boolean joined = text.isEmpty() || JOINED_BEFORE.contains(word) || JOINED_AFTER.contains(before);
            text.append(joined ? "" : " ").append(word);
            before = word;
        }
        return text.toString();
    }

    /** The name of the struct for an arm with several declarations: its first label. */
    static String armName(XdrParser.ArmContext arm) {
        return !DefaultArms.isDefault(arm) && arm.label(0) instanceof XdrParser.CaseLabelContext label
                ? armName(label.value())
                : "other";
    }

    private static String armName(XdrParser.ValueContext label) {
        String text = label.getStop().getText();
        if (label instanceof XdrParser.NamedContext) {
            return text.toLowerCase(Locale.ROOT);
        }
        String number = label instanceof XdrParser.CharacterContext
                ? Numbers.ofCharacter(label.getStart()).toString()
                : text;
        return "case_" + (number.startsWith("-") ? "minus_" + number.substring(1) : number);
    }

    private static void collect(ParseTree tree, List<String> words) {
        if (tree instanceof TerminalNode) {
            words.add(tree.getText());
        }
        for (int i = 0; i < tree.getChildCount(); i++) {
            collect(tree.getChild(i), words);
        }
    }
}
