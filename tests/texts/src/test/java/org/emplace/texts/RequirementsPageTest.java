// SPDX-License-Identifier: Apache-2.0
package org.emplace.texts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Each row of docs/requirements.md says what shows that a requirement is met, or that nothing does; and what it names is in the tree. */
class RequirementsPageTest {
    private static final Path ROOT = Path.of("..", "..");
    private static final Pattern CLASS = Pattern.compile("`([A-Z]\\w+)(?:\\.(\\w+))?`");
    private static final Pattern SCRIPT = Pattern.compile("`(tests/interop/[\\w-]+)`");
    private static final Pattern REMARK = Pattern.compile("open: |not met, because ");

    /** A row of a table, of which the last two cells matter. */
    private record Row(String text) {
        String metBy() {
            return cell(2);
        }

        String shownBy() {
            return cell(1);
        }

        boolean saysWhatShowsIt() {
            return Stream.of(CLASS, SCRIPT, REMARK)
                    .anyMatch(one -> one.matcher(shownBy()).find());
        }

        private String cell(int fromTheEnd) {
            List<String> cells = Pattern.compile("\\|").splitAsStream(text).toList();
            return cells.get(cells.size() - fromTheEnd);
        }
    }

    @Test
    void everyRowNamesATestOrSaysThatThereIsNone() throws Exception {
        List<Row> rows = rows();

        assertThat(rows).hasSizeGreaterThan(150);
        assertThat(rows.stream().filter(row -> !row.saysWhatShowsIt())).isEmpty();
    }

    @Test
    void everyClassThatIsSaidToMeetARequirementIsThere() throws Exception {
        Map<String, List<Path>> classes = classesIn("src/main");

        List<String> missing = new ArrayList<>();
        for (Row row : rows()) {
            CLASS.matcher(row.metBy())
                    .results()
                    .filter(name -> !classes.containsKey(name.group(1)))
                    .forEach(name -> missing.add(name.group() + " in " + row.text()));
        }
        assertThat(missing).isEmpty();
    }

    @Test
    void everyTestIsThere() throws Exception {
        Map<String, List<Path>> classes = classesIn("src/test");

        List<String> missing = new ArrayList<>();
        for (Row row : rows()) {
            for (MatchResult name : CLASS.matcher(row.shownBy()).results().toList()) {
                if (!isThere(classes.getOrDefault(name.group(1), List.of()), name.group(2))) {
                    missing.add(name.group() + " in " + row.text());
                }
            }
            SCRIPT.matcher(row.shownBy())
                    .results()
                    .filter(name -> !Files.isExecutable(ROOT.resolve(name.group(1))))
                    .forEach(name -> missing.add(name.group() + " in " + row.text()));
        }
        assertThat(missing).isEmpty();
    }

    private static List<Row> rows() throws IOException {
        List<String> lines = Files.readAllLines(ROOT.resolve("docs/requirements.md"));
        List<Row> rows = new ArrayList<>();
        boolean inTable = false;
        for (String line : lines) {
            if (inTable && line.startsWith("| ")) {
                rows.add(new Row(line));
            }
            // What stands above this line is the heading.
            inTable = line.startsWith("|---") || (inTable && line.startsWith("| "));
        }
        return rows;
    }

    /** Whether one of the classes of a name has the method, if one is named. */
    private static boolean isThere(List<Path> classes, @Nullable String method) throws IOException {
        for (Path file : classes) {
            if (method == null || Files.readString(file).contains(" void " + method + "(")) {
                return true;
            }
        }
        return false;
    }

    /** The files of the tree's classes by their simple names, which several tests may share. */
    private static Map<String, List<Path>> classesIn(String folder) throws IOException {
        Map<String, List<Path>> classes = new HashMap<>();
        for (Path file : SourceTree.files(ROOT, ".java")) {
            if (file.toString().contains("/" + folder + "/")) {
                String name = file.getFileName().toString().replace(".java", "");
                classes.computeIfAbsent(name, first -> new ArrayList<>()).add(file);
            }
        }
        return classes;
    }
}
