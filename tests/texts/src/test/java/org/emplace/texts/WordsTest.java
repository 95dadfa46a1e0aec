// SPDX-License-Identifier: Apache-2.0
package org.emplace.texts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nothing in the tree uses a word that the glossary lists as not used, whatever its case, plural or past tense. */
class WordsTest {
    private static final Path ROOT = Path.of("..", "..");
    private static final Path GLOSSARY = ROOT.resolve("docs/glossary.md");
    private static final Pattern COMMA = Pattern.compile(", ");

    @TempDir
    private Path folder = Path.of("");

    @Test
    void noFileUsesAWordThatTheGlossaryReplaces() throws IOException {
        List<Path> files = SourceTree.texts(ROOT);
        files.remove(GLOSSARY);
        files.removeIf(file -> file.endsWith(Path.of("WordsTest.java")));

        assertThat(files).hasSizeGreaterThan(1000);
        assertThat(uses(files)).isEmpty();
    }

    @Test
    void usesAreFoundInProseAndNames() throws IOException {
        Path page = Files.writeString(
                folder.resolve("page.md"), "Fine.\nA class NoColours.\nIt was\tmended. Recommended.\n");

        assertThat(uses(List.of(page))).containsExactly(page + ":2: Colours", page + ":3: mended");
    }

    private static List<String> uses(List<Path> files) throws IOException {
        Pattern notUsed = notUsed();
        List<String> uses = new ArrayList<>();
        for (Path file : files) {
            List<String> lines = Files.readAllLines(file, StandardCharsets.ISO_8859_1); // the words are ASCII
            for (int i = 0; i < lines.size(); i++) {
                int line = i + 1;
                notUsed.matcher(lines.get(i))
                        .results()
                        .forEach(use -> uses.add(file + ":" + line + ": " + use.group()));
            }
        }
        return uses;
    }

    /** The first column of the glossary's last table. A word begins behind anything but a letter, or at a capital behind a small letter. */
    private static Pattern notUsed() throws IOException {
        String words = Files.readString(GLOSSARY)
                .lines()
                .dropWhile(line -> !line.equals("## Words not used"))
                .filter(line -> line.startsWith("| ") && !line.startsWith("| Not "))
                .flatMap(line -> COMMA.splitAsStream(line.substring(2, line.indexOf(" |", 2))))
                .map(Pattern::quote)
                .collect(Collectors.joining("|"));
        return Pattern.compile("(?:(?<![A-Za-z])|(?<=[a-z])(?=[A-Z]))(?i:" + words + ")(?i:d|s|rs|es|able)?(?![a-z])");
    }
}
