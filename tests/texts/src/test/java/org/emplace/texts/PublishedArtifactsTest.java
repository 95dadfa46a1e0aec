// SPDX-License-Identifier: Apache-2.0
package org.emplace.texts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** The POMs of the published artifacts: those of the modules in {@code .ci/published}, of what they depend on, and of their parents. */
class PublishedArtifactsTest {
    private static final Path ROOT = Path.of("..", "..");
    private final Map<String, Document> poms = new HashMap<>();
    private final Set<String> published = new HashSet<>();

    @BeforeEach
    void read() throws Exception {
        for (Path file : SourceTree.files(ROOT, "pom.xml")) {
            if (!file.toString().contains("/src/it/")) {
                poms.put(text(parsed(file), "/project/artifactId"), parsed(file));
            }
        }
        Deque<String> found = new ArrayDeque<>();
        for (String module :
                Files.readString(ROOT.resolve(".ci/published")).strip().split(",", -1)) {
            found.add(text(parsed(ROOT.resolve(module).resolve("pom.xml")), "/project/artifactId"));
        }
        while (!found.isEmpty()) {
            String artifact = found.remove();
            if (published.add(artifact)) {
                found.addAll(texts(
                        pom(artifact),
                        "/project/dependencies/dependency[groupId='org.emplace' and not(scope='test')]/artifactId"));
                found.addAll(texts(pom(artifact), "/project/parent/artifactId"));
            }
        }
    }

    @Test
    void eachHasANameADescriptionAndThoseOfTheProject() throws Exception {
        assertThat(published).hasSizeGreaterThan(12).allMatch(poms::containsKey);
        List<String> missing = new ArrayList<>();
        for (String artifact : published) {
            for (String own : List.of("name", "description")) {
                if (text(pom(artifact), "/project/" + own).isBlank()) {
                    missing.add(artifact + ": " + own);
                }
            }
            String top = top(artifact);
            for (String inherited : List.of(
                    "url",
                    "licenses/license/name",
                    "licenses/license/url",
                    "developers/developer/name",
                    "scm/connection",
                    "scm/url")) {
                if (text(pom(top), "/project/" + inherited).isBlank()) {
                    missing.add(artifact + ": " + inherited);
                }
            }
        }
        assertThat(missing).isEmpty();
    }

    @Test
    void theBomListsThoseThatADependencyCanName() throws Exception {
        List<String> libraries = new ArrayList<>();
        for (String artifact : published) {
            if (text(pom(artifact), "/project/packaging").isEmpty()) {
                libraries.add(artifact);
            }
        }

        assertThat(texts(
                        pom("emplace-bom"),
                        "/project/dependencyManagement/dependencies/dependency[groupId='org.emplace']/artifactId"))
                .containsExactlyInAnyOrderElementsOf(libraries);
    }

    /** The artifact, or the topmost of its parents. */
    private String top(String artifact) throws XPathExpressionException {
        String parent = text(pom(artifact), "/project/parent/artifactId");
        return parent.isEmpty() ? artifact : top(parent);
    }

    private Document pom(String artifact) {
        Document pom = poms.get(artifact);
        if (pom == null) {
            throw new AssertionError("no pom.xml of " + artifact);
        }
        return pom;
    }

    private static Document parsed(Path file) throws ParserConfigurationException, SAXException, IOException {
        return DocumentBuilderFactory.newDefaultInstance().newDocumentBuilder().parse(file.toFile());
    }

    private static String text(Document pom, String path) throws XPathExpressionException {
        return XPathFactory.newInstance().newXPath().evaluate(path, pom);
    }

    private static List<String> texts(Document pom, String path) throws XPathExpressionException {
        NodeList nodes = (NodeList) XPathFactory.newInstance().newXPath().evaluate(path, pom, XPathConstants.NODESET);
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < nodes.getLength(); i++) {
            texts.add(nodes.item(i).getTextContent());
        }
        return texts;
    }
}
