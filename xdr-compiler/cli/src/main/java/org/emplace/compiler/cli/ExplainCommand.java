// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.emplace.compiler.diagnostic.Explanation;
import org.emplace.compiler.diagnostic.Explanations;
import org.emplace.compiler.diagnostic.Style;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code xdrc explain}: explains diagnostics. */
@Command(name = "explain", description = "Explains diagnostics: what is wrong, why, an example, and how to fix it.")
final class ExplainCommand extends Subcommand {

    private static final int WIDTH = 100;

    @Mixin
    private Color color = new Color();

    @Parameters(paramLabel = "CODE", arity = "0..*", description = "such as E202; without any, all are listed")
    private List<String> codes = List.of();

    @Override
    public Integer call() {
        if (codes.isEmpty()) {
            Explanations.codes().stream()
                    .flatMap(code -> Explanations.of(code).stream())
                    .forEach(explanation -> out().println(color.ofOutput().of(Style.Role.HEADING, explanation.code())
                            + "  " + explanation.title()));
            out().flush();
            return ExitStatus.OK;
        }
        List<Explanation> found = new ArrayList<>();
        for (String code : codes) {
            Optional<Explanation> explanation = Explanations.of(code.toUpperCase(Locale.ROOT));
            if (explanation.isEmpty()) {
                return fail(ExitStatus.USAGE, "there is no code `" + code + "`; xdrc explain alone lists them all");
            }
            found.add(explanation.get());
        }
        found.forEach(this::print);
        out().flush();
        return ExitStatus.OK;
    }

    private void print(Explanation explanation) {
        heading(explanation.code() + ": " + explanation.title());
        explanation.text().forEach(paragraph -> out().println(wrapped(paragraph) + "\n"));
        heading("Example");
        explanation.example().forEach(this::print);
        out().println(explanation.said());
        heading("Fix");
        explanation.fix().forEach(this::print);
    }

    private void heading(String text) {
        out().println(color.ofOutput().of(Style.Role.HEADING, text) + "\n");
    }

    private void print(Explanation.Block block) {
        block.text()
                .lines()
                .forEach(line -> out().println(
                                line.isEmpty() ? "" : "    " + color.ofOutput().of(Style.Role.CODE, line)));
        out().println();
    }

    /** Wraps a paragraph between words into lines of at most {@link #WIDTH} characters, unless a word is longer. */
    private static String wrapped(String paragraph) {
        StringBuilder out = new StringBuilder();
        int column = 0;
        for (String word : paragraph.split(" ", -1)) {
            boolean fits = column + 1 + word.length() <= WIDTH;
            if (column > 0) {
                out.append(fits ? ' ' : '\n');
            }
            out.append(word);
            column = fits && column > 0 ? column + 1 + word.length() : word.length();
        }
        return out.toString();
    }
}
