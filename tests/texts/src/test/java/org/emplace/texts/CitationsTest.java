// SPDX-License-Identifier: Apache-2.0
package org.emplace.texts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each section that a file cites, such as {@code RFC 8166 section 4.3}, is one that {@code cited-sections.txt} has for that document. */
class CitationsTest {
    private static final Path ROOT = Path.of("..", "..");
    private static final Path SECTIONS = Path.of("src/test/resources/cited-sections.txt");
    private static final String DOCUMENT = "(RFC [0-9]+|(?:draft-ietf-nfsv4-)?rfc5666bis-01)";
    private static final String NUMBER = "[0-9]+(?:\\.[0-9]+)*";

    /** With the word, any number; without it, as in a table or a message, only one of two parts or more. */
    private static final Pattern CITATION = Pattern.compile("\\b" + DOCUMENT + ",? (?:[Ss]ections? (" + NUMBER
            + "(?:(?:, and |, | and | or | to )" + NUMBER + "(?![0-9]))*)|([0-9]+(?:\\.[0-9]+)+))");

    private static final Pattern ONE_NUMBER = Pattern.compile(NUMBER);

    /** A citation may go on in the next line, behind what begins a line of a comment. */
    private static final Pattern LINE_BREAK = Pattern.compile("\\s*\\R\\s*(?:\\*(?!/)|//|#+)?\\s*");

    private static final Pattern TABLE_HEADING = Pattern.compile("^\\| rfc5666bis-01 \\| (RFC [0-9]+) \\|.*");

    @TempDir
    private Path folder = Path.of("");

    @Test
    void everyCitedSectionExists() throws IOException {
        List<String> citations = new ArrayList<>();
        for (Path file : SourceTree.texts(ROOT)) {
            for (String citation : citations(Files.readString(file, StandardCharsets.ISO_8859_1))) {
                citations.add(file + ": " + citation);
            }
        }
        for (String citation : citationsOfTables(ROOT.resolve("docs/requirements.md"))) {
            citations.add("requirements.md: " + citation);
        }

        assertThat(citations).hasSizeGreaterThan(500);
        assertThat(missing(citations)).isEmpty();
    }

    @Test
    void citationsAreFoundAcrossLinesAndInLists() {
        assertThat(citations("""
                 * See RFC 8166
                 * sections 3.4.6, 3.5 and 4.3 tell. (RFC 4506, section 6.) RFC 8166 and RFC 8167 have 2 sections.
                 * (rfc5666bis-01 4.4.1, RFC 8166 3.4.2) RFC 5666 replaces 3 others (draft-ietf-nfsv4-rfc5666bis-01 section
                // 6.1).
                """))
                .containsExactly(
                        "RFC 8166: 3.4.6",
                        "RFC 8166: 3.5",
                        "RFC 8166: 4.3",
                        "RFC 4506: 6",
                        "draft: 4.4.1",
                        "RFC 8166: 3.4.2",
                        "draft: 6.1");
    }

    @Test
    void sectionsOfTablesAreThoseOfTheirColumns() throws IOException {
        Path page = Files.writeString(folder.resolve("page.md"), """
                | rfc5666bis-01 | RFC 8167 | What it asks |
                |---|---|---|
                | 8.3.4, 8.3.5 | 5 | Something of section 7. |

                | 9.1 | of no table |
                """);

        assertThat(citationsOfTables(page)).containsExactly("draft: 8.3.4", "draft: 8.3.5", "RFC 8167: 5");
    }

    @Test
    void sectionsAndDocumentsThatAreNotListedAreMissing() throws IOException {
        List<String> citations = List.of("a: RFC 4506: 4.19", "b: RFC 4506: 4.21", "c: RFC 1: 1", "d: draft: 4.4.6");

        assertThat(missing(citations)).containsExactly("b: RFC 4506: 4.21", "c: RFC 1: 1", "d: draft: 4.4.6");
    }

    private static List<String> citations(String text) {
        List<String> citations = new ArrayList<>();
        for (MatchResult found : CITATION.matcher(LINE_BREAK.matcher(text).replaceAll(" "))
                .results()
                .toList()) {
            String document = found.group(1).startsWith("RFC") ? found.group(1) : "draft";
            add(citations, document, found.group(2) != null ? found.group(2) : found.group(3));
        }
        return citations;
    }

    /** The first two columns of tables which compare the draft with the RFC that it became. */
    private static List<String> citationsOfTables(Path page) throws IOException {
        List<String> citations = new ArrayList<>();
        String document = "";
        for (String line : Files.readAllLines(page)) {
            var heading = TABLE_HEADING.matcher(line);
            if (heading.matches()) {
                document = heading.group(1);
            } else if (!line.startsWith("|")) {
                document = "";
            } else if (!document.isEmpty()) {
                String[] cells = line.split("\\|", -1);
                add(citations, "draft", cells[1]);
                add(citations, document, cells[2]);
            }
        }
        return citations;
    }

    private static void add(List<String> citations, String document, String numbers) {
        ONE_NUMBER.matcher(numbers).results().forEach(number -> citations.add(document + ": " + number.group()));
    }

    private static List<String> missing(List<String> citations) throws IOException {
        Map<String, Set<String>> sections = sections();
        List<String> missing = new ArrayList<>();
        for (String citation : citations) {
            String[] parts = citation.split(": ", -1);
            if (!sections.getOrDefault(parts[1], Set.of()).contains(parts[2])) {
                missing.add(citation);
            }
        }
        return missing;
    }

    private static Map<String, Set<String>> sections() throws IOException {
        Map<String, Set<String>> sections = new HashMap<>();
        for (String line : Files.readAllLines(SECTIONS)) {
            if (line.startsWith("#")) {
                continue;
            }
            String[] parts = line.split(": ", 2);
            Set<String> numbers = new HashSet<>();
            for (String range : parts[1].split(" ", -1)) {
                String[] ends = range.split("-", -1);
                String parent = ends[0].substring(0, ends[0].lastIndexOf('.') + 1);
                int last = lastPart(ends[ends.length - 1]);
                for (int i = lastPart(ends[0]); i <= last; i++) {
                    numbers.add(parent + i);
                }
            }
            sections.put(parts[0], numbers);
        }
        return sections;
    }

    private static int lastPart(String section) {
        return Integer.parseInt(section.substring(section.lastIndexOf('.') + 1));
    }
}
