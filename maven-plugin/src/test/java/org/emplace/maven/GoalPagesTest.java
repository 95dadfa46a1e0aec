// SPDX-License-Identifier: Apache-2.0
package org.emplace.maven;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/** The pages of the goals say of parameters what Maven is told; {@code -Dcorpus.refresh=true} writes their tables anew. */
class GoalPagesTest {
    private static final Path PAGES = Path.of("../docs/maven-plugin");
    private static final String HEAD = """
            | Parameter | Default | On the command line | |
            |---|---|---|---|
            """;

    @Test
    void eachGoalHasAPageWithItsParameters() throws Exception {
        List<String> goals = new ArrayList<>();
        for (Element goal : children(plugin(), "mojos", "mojo")) {
            String name = text(goal, "goal");
            goals.add(name + ".md");
            Path page = PAGES.resolve(name + ".md");
            assertThat(page).isRegularFile();
            String text = Files.readString(page);
            int start = text.indexOf(HEAD);
            assertThat(start).as("table in " + page).isNotNegative();
            int blank = text.indexOf("\n\n", start);
            int end = blank < 0 ? text.length() : blank + 1;
            String table = HEAD + rows(goal);
            if (Boolean.getBoolean("corpus.refresh")) {
                Files.writeString(page, text.substring(0, start) + table + text.substring(end));
            } else {
                assertThat(text.substring(start, end)).as(page.toString()).isEqualTo(table);
            }
        }
        try (Stream<Path> pages = Files.list(PAGES)) {
            assertThat(pages.map(page -> page.getFileName().toString()).filter(name -> !name.equals("README.md")))
                    .containsExactlyInAnyOrderElementsOf(goals);
        }
    }

    @Test
    void theLifecycleMappingForEclipseHasEveryGoal() throws Exception {
        List<String> known = children(
                        document("/META-INF/m2e/lifecycle-mapping-metadata.xml"),
                        "pluginExecutions",
                        "pluginExecution",
                        "pluginExecutionFilter",
                        "goals",
                        "goal")
                .stream()
                .map(Element::getTextContent)
                .toList();
        List<String> bound = children(plugin(), "mojos", "mojo").stream()
                .filter(goal -> !children(goal, "phase").isEmpty())
                .map(goal -> text(goal, "goal"))
                .toList();
        assertThat(known).containsExactlyInAnyOrderElementsOf(bound);
    }

    private static Element plugin() throws Exception {
        return document("/META-INF/maven/plugin.xml");
    }

    private static Element document(String name) throws Exception {
        try (InputStream in = Objects.requireNonNull(GoalPagesTest.class.getResourceAsStream(name), name)) {
            return DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(in)
                    .getDocumentElement();
        }
    }

    private static String rows(Element goal) {
        StringBuilder rows = new StringBuilder();
        for (Element parameter : children(goal, "parameters", "parameter")) {
            if (text(parameter, "editable").equals("true")) {
                String name = text(parameter, "name");
                rows.append("| `%s` | %s | %s | %s |\n"
                        .formatted(
                                name,
                                defaultValue(goal, parameter, name),
                                property(goal, name),
                                text(parameter, "description").replace("<", "&lt;")));
            }
        }
        return rows.toString();
    }

    private static String defaultValue(Element goal, Element parameter, String name) {
        if (text(parameter, "required").equals("true")) {
            return "required";
        }
        return children(goal, "configuration", name).stream()
                .map(each -> each.getAttribute("default-value"))
                .filter(value -> !value.isEmpty())
                .map(GoalPagesTest::code)
                .findFirst()
                .orElse("");
    }

    private static String property(Element goal, String name) {
        return children(goal, "configuration", name).stream()
                .map(Element::getTextContent)
                .filter(value -> value.startsWith("${"))
                .map(value -> code("-D" + value.substring(2, value.length() - 1)))
                .findFirst()
                .orElse("");
    }

    private static String code(String text) {
        return "`" + text + "`";
    }

    private static String text(Element parent, String name) {
        return children(parent, name).get(0).getTextContent().strip();
    }

    /** The elements that a path of names leads to. */
    private static List<Element> children(Element parent, String... path) {
        List<Element> found = List.of(parent);
        for (String name : path) {
            found = found.stream().flatMap(each -> named(each, name).stream()).toList();
        }
        return found;
    }

    private static List<Element> named(Element parent, String name) {
        List<Element> found = new ArrayList<>();
        NodeList nodes = parent.getChildNodes();
        for (int i = 0; i < nodes.getLength(); i++) {
            Node node = nodes.item(i);
            if (node instanceof Element element && element.getTagName().equals(name)) {
                found.add(element);
            }
        }
        return found;
    }
}
