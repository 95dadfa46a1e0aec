// SPDX-License-Identifier: Apache-2.0
package org.emplace.texts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.languagetool.JLanguageTool;
import org.languagetool.Languages;
import org.languagetool.markup.AnnotatedText;
import org.languagetool.rules.Rule;
import org.languagetool.rules.RuleMatch;
import org.languagetool.rules.spelling.SpellingCheckRule;

/**
 * LanguageTool finds no mistake in the pages and in the Javadoc of the packages that programs or providers use, as American English. {@code rules-left-out.txt} lists the
 * rules that do not suit these texts, each with the reason, and {@code words.txt} the words that its dictionary lacks.
 */
class LanguageTest {
    private static final Path ROOT = Path.of("..", "..");
    private static final Path LISTS = Path.of("src/test/resources");
    private static final List<String> PACKAGES = List.of(
            "runtime-rdma/xdr/src/main/java/org/emplace/xdr",
            "runtime-rdma/rpc/src/main/java/org/emplace",
            "runtime-rdma/rdma/src/main/java/org/emplace/rdma");

    private final JLanguageTool languageTool = new JLanguageTool(Languages.getLanguageForShortCode("en-US"));

    LanguageTest() throws IOException {
        languageTool.disableRules(entries("rules-left-out.txt"));
        List<String> words = entries("words.txt");
        for (Rule rule : languageTool.getAllActiveRules()) {
            if (rule instanceof SpellingCheckRule spelling) {
                spelling.addIgnoreTokens(words);
            }
        }
    }

    @Test
    void ofThePages() throws IOException {
        List<Path> pages = SourceTree.files(ROOT.resolve("docs"), ".md");
        // What Maven's plugin tools generate; the text is the mojos' Javadoc.
        pages.removeIf(page -> page.startsWith(ROOT.resolve("docs/maven-plugin")) && !page.endsWith("README.md"));
        pages.add(ROOT.resolve("README.md"));
        pages.add(ROOT.resolve("CONTRIBUTING.md"));
        pages.add(ROOT.resolve("SECURITY.md"));
        pages.add(ROOT.resolve("RELEASING.md"));

        assertThat(pages).hasSizeGreaterThan(40);
        assertThat(findings(pages, LanguageTest::page)).isEmpty();
    }

    @Test
    void ofThePublicJavadoc() throws IOException {
        List<Path> sources = new ArrayList<>();
        for (String folder : PACKAGES) {
            try (var files = Files.list(ROOT.resolve(folder))) {
                files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
            }
        }

        assertThat(sources).hasSizeGreaterThan(40);
        assertThat(findings(sources, Prose::ofJavadoc)).isEmpty();
    }

    @Test
    void mistakesAreFoundAndCodeIsLeftOut() throws IOException {
        assertThat(findings(
                        "page",
                        "An example with two `speling mistake`:\nhe have a mistaek.\n```\nno prosse\n```\n",
                        Prose::ofPage))
                .containsExactly("page:2: HE_VERB_AGR: have", "page:2: MORFOLOGIK_RULE_EN_US: mistaek");
        assertThat(findings(
                        "A.java", "/** The {@code speling} of\n * a mistaek. */\nclass Prosse {}\n", Prose::ofJavadoc))
                .containsExactly("A.java:2: MORFOLOGIK_RULE_EN_US: mistaek");
    }

    /** A page without the glossary's words that are not used. */
    private static AnnotatedText page(String text) {
        return Prose.ofPage(text.replaceFirst("(?s)\n## Words not used\n.*", "\n"));
    }

    private List<String> findings(List<Path> files, Function<String, AnnotatedText> prose) throws IOException {
        List<String> findings = new ArrayList<>();
        for (Path file : files) {
            findings.addAll(findings(file.toString(), Files.readString(file), prose));
        }
        return findings;
    }

    private List<String> findings(String name, String text, Function<String, AnnotatedText> prose) throws IOException {
        List<String> findings = new ArrayList<>();
        for (RuleMatch match : languageTool.check(prose.apply(text))) {
            long line = 1
                    + text.chars()
                            .limit(match.getFromPos())
                            .filter(c -> c == '\n')
                            .count();
            String found = text.substring(match.getFromPos(), match.getToPos());
            findings.add(name + ":" + line + ": " + match.getRule().getId() + ": " + found);
        }
        return findings;
    }

    /** The first word of each line of a list. */
    private static List<String> entries(String list) throws IOException {
        return Files.readAllLines(LISTS.resolve(list)).stream()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .map(line -> line.split(" ", 2)[0])
                .collect(Collectors.toList());
    }
}
