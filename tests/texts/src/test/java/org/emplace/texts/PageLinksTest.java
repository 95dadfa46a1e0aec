// SPDX-License-Identifier: Apache-2.0
package org.emplace.texts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Relative links in the tree's Markdown lead to files that exist, and to headings of these by the anchors that GitHub gives them. Links to other
 * sites are not followed.
 */
class PageLinksTest {
    private static final Path ROOT = Path.of("..", "..");
    private static final Pattern FENCED = Pattern.compile("^ *```.*?^ *```", Pattern.MULTILINE | Pattern.DOTALL);
    private static final Pattern CODE = Pattern.compile("(`+)(?!`)(?:(?!\n\n).)+?\\1", Pattern.DOTALL);
    private static final Pattern LINK = Pattern.compile("\\]\\(<?([^)>\\s]+)[^)]*\\)");
    private static final Pattern OTHER_SITE = Pattern.compile("[a-z]+:.*");
    private static final Pattern HEADING = Pattern.compile("^#{1,6} +(.+)$", Pattern.MULTILINE);
    private static final Pattern LINKED_TEXT = Pattern.compile("\\[([^]]*)\\]\\([^)]*\\)");
    private static final Pattern NOT_IN_ANCHORS = Pattern.compile("[^\\p{L}\\p{N} _-]");

    @TempDir
    private Path folder = Path.of("");

    @Test
    void everyRelativeLinkLeadsSomewhere() throws IOException {
        List<Path> pages = SourceTree.files(ROOT, ".md");

        assertThat(pages).hasSizeGreaterThan(100);
        assertThat(broken(pages)).isEmpty();
    }

    @Test
    void everyPageOfTheBookIsInItsIndex() throws IOException {
        Path book = ROOT.resolve("docs");
        Path index = book.resolve("README.md");
        Set<Path> linked = new HashSet<>();
        for (String link : links(Files.readString(index))) {
            linked.add(book.resolve(link.replaceFirst("#.*", "")).normalize());
        }

        assertThat(SourceTree.files(book, ".md"))
                .filteredOn(page -> book.equals(page.getParent()) || page.endsWith("README.md"))
                .filteredOn(page -> !page.equals(index))
                .isNotEmpty()
                .allMatch(page -> linked.contains(page.normalize()));
    }

    @Test
    void missingFilesAndHeadingsAreFoundAndCodeIsLeftOut() throws IOException {
        Path page = Files.writeString(folder.resolve("page.md"), """
                # A `first` heading, with [a link](other.md)
                ## Twice
                ## Twice
                [ok](#a-first-heading-with-a-link) [ok](other.md) [ok](#twice-1) [ok](https://example.org/#x) [a
                ](missing.md) and [`b`](other.md#missing), `[code](ignored.md)`, [c](#twice-2)
                ```
                # code
                [code](ignored.md)
                ```
                [d](#code)
                """);
        Files.writeString(folder.resolve("other.md"), "# Other\n");

        assertThat(broken(List.of(page)))
                .containsExactly(
                        page + ": missing.md", page + ": other.md#missing", page + ": #twice-2", page + ": #code");
    }

    private static List<String> broken(List<Path> pages) throws IOException {
        List<String> broken = new ArrayList<>();
        for (Path page : pages) {
            for (String link : links(Files.readString(page))) {
                if (!leadsSomewhere(page, link)) {
                    broken.add(page + ": " + link);
                }
            }
        }
        return broken;
    }

    private static List<String> links(String text) {
        String prose = CODE.matcher(FENCED.matcher(text).replaceAll("")).replaceAll("");
        return LINK.matcher(prose)
                .results()
                .map(link -> link.group(1))
                .filter(link -> !OTHER_SITE.matcher(link).matches())
                .toList();
    }

    private static boolean leadsSomewhere(Path page, String link) throws IOException {
        int hash = link.indexOf('#');
        String file = hash < 0 ? link : link.substring(0, hash);
        Path target = file.isEmpty() ? page : page.resolveSibling(file);
        return Files.exists(target)
                && (hash < 0
                        || (target.toString().endsWith(".md")
                                && anchors(Files.readString(target)).contains(link.substring(hash + 1))));
    }

    private static Set<String> anchors(String text) {
        Map<String, Integer> seen = new HashMap<>();
        Set<String> anchors = new HashSet<>();
        HEADING.matcher(FENCED.matcher(text).replaceAll("")).results().forEach(heading -> {
            String shown =
                    LINKED_TEXT.matcher(heading.group(1)).replaceAll("$1").toLowerCase(Locale.ROOT);
            String anchor = NOT_IN_ANCHORS.matcher(shown).replaceAll("").strip().replace(' ', '-');
            int before = seen.merge(anchor, 1, Integer::sum) - 1;
            anchors.add(before == 0 ? anchor : anchor + "-" + before);
        });
        return anchors;
    }
}
