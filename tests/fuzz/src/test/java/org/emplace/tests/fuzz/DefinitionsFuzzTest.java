// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.emplace.compiler.XdrCompiler;
import org.emplace.compiler.source.SourceFile;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Protocol definitions with their bindings: whatever a file holds, the compiler answers with a protocol or with diagnostics, and never throws. The
 * fuzzer begins with the files of the compiler's own tests.
 */
class DefinitionsFuzzTest {
    private static final Path CORPUS = Path.of("../../xdr-compiler/compiler/src/test/resources/corpus");

    /** The definitions that a sidecar refers to. */
    private static final SourceFile DEFINITIONS = new SourceFile("fuzz.x", """
            enum stat { OK = 0, BAD = 1 };
            union op switch (stat what) { case OK: opaque data<>; default: void; };
            struct ops { op list<>; unsigned int count; };
            program P { version V { ops PUT(ops) = 1; opaque<8192> GET(int) = 2; } = 1; } = 1;
            """);

    @BeforeAll
    static void theDefinitionsOfSidecarsAreValid() {
        assertThat(XdrCompiler.analyze(List.of(DEFINITIONS)).meaning()).isPresent();
    }

    @MethodSource("definitions")
    @FuzzTest(maxExecutions = Fuzzing.INPUTS, maxDuration = Fuzzing.LONGEST)
    void everyFileIsAnalyzed(byte[] bytes) {
        XdrCompiler.analyze(List.of(file("fuzz.x", bytes)));
    }

    @MethodSource("sidecars")
    @FuzzTest(maxExecutions = Fuzzing.INPUTS, maxDuration = Fuzzing.LONGEST)
    void everySidecarIsAnalyzed(byte[] bytes) {
        XdrCompiler.analyze(List.of(DEFINITIONS, file("fuzz.ulb", bytes)));
    }

    static Stream<byte[]> definitions() throws IOException {
        return corpus(".x");
    }

    static Stream<byte[]> sidecars() throws IOException {
        return corpus(".ulb");
    }

    private static Stream<byte[]> corpus(String suffix) throws IOException {
        try (Stream<Path> files = Files.list(CORPUS)) {
            List<Path> sorted = files.filter(file -> file.toString().endsWith(suffix))
                    .sorted()
                    .toList();
            return sorted.stream().map(DefinitionsFuzzTest::bytes);
        }
    }

    private static byte[] bytes(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static SourceFile file(String name, byte[] bytes) {
        return new SourceFile(name, new String(bytes, StandardCharsets.ISO_8859_1));
    }
}
