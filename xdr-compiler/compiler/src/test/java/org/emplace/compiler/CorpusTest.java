// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.emplace.compiler.diagnostic.DiagnosticRenderer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every {@code NAME.x} of the corpus, with {@code NAME.ulb} if there is one, is diagnosed as {@code NAME.x.stderr} says; with nothing to say if
 * there is no such file. {@code -Dcorpus.refresh=true} writes the files anew.
 */
class CorpusTest {

    private static final Path CORPUS = Path.of("src/test/resources/corpus");

    static List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(CORPUS)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".x"))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("names")
    void hasTheDiagnosticsOfItsGoldenFile(String name) throws IOException {
        CompileRequest.Source source = new CompileRequest.Source(CORPUS.resolve(name), name);
        CompileResult result = XdrCompiler.compile(new CompileRequest(List.of(source), "org.example"));
        DiagnosticRenderer renderer = new DiagnosticRenderer(result.sources());
        String said = result.diagnostics().stream().map(renderer::render).collect(Collectors.joining("\n"));
        Path golden = CORPUS.resolve(name + ".stderr");
        if (Boolean.getBoolean("corpus.refresh")) {
            refresh(golden, said);
        }
        assertThat(said).isEqualTo(Files.exists(golden) ? Files.readString(golden) : "");
    }

    private static void refresh(Path golden, String said) throws IOException {
        if (said.isEmpty()) {
            Files.deleteIfExists(golden);
        } else {
            Files.writeString(golden, said);
        }
    }
}
