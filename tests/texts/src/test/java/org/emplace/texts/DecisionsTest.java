// SPDX-License-Identifier: Apache-2.0
package org.emplace.texts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Each decision has the number of its file, says when it was accepted and what replaced it, and what was rejected. */
final class DecisionsTest {
    private static final Path DECISIONS = Path.of("..", "..", "docs", "decisions");

    private static final Pattern STATUS = Pattern.compile("\\*Accepted, (?:January|February|March|April|May|June|July"
            + "|August|September|October|November|December) 20[0-9]{2}(?:; [^*]+)?\\.\\*");

    /** The reasons follow in the same paragraph, or as a list. */
    private static final Pattern REJECTED =
            Pattern.compile("^\\*\\*Rejected\\.\\*\\*(?: \\S|\n\n- )", Pattern.MULTILINE);

    @Test
    void eachHasItsNumberADateAStatusAndWhatWasRejected() throws IOException {
        List<Path> decisions = SourceTree.files(DECISIONS, ".md");
        decisions.removeIf(page -> page.endsWith("README.md"));

        List<String> mistakes = new ArrayList<>();
        for (Path decision : decisions) {
            mistakes.addAll(mistakes(decision.getFileName().toString(), Files.readString(decision)));
        }

        assertThat(decisions).hasSizeGreaterThan(20);
        assertThat(mistakes).isEmpty();
    }

    @Test
    void whatIsMissingIsFound() {
        String whole = "# 7. A\n\n*Accepted, May 2026; replaced by [8](008-b.md).*\n\nText.\n\n**Rejected.** All.\n";

        assertThat(mistakes("007-a.md", whole)).isEmpty();
        assertThat(mistakes("017-a.md", whole)).containsExactly("017-a.md: number");
        assertThat(mistakes("007-a.md", whole.replace("May ", "5/"))).containsExactly("007-a.md: date and status");
        assertThat(mistakes("007-a.md", whole.replace(" All.", ""))).containsExactly("007-a.md: rejected");
    }

    private static List<String> mistakes(String file, String text) {
        List<String> lines = text.lines().toList();
        List<String> mistakes = new ArrayList<>();
        if (!lines.get(0).startsWith("# " + Integer.parseInt(file.substring(0, 3)) + ". ")) {
            mistakes.add(file + ": number");
        }
        if (!STATUS.matcher(lines.get(2)).matches()) {
            mistakes.add(file + ": date and status");
        }
        if (!REJECTED.matcher(text).find()) {
            mistakes.add(file + ": rejected");
        }
        return mistakes;
    }
}
