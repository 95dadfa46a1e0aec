// SPDX-License-Identifier: Apache-2.0
package org.emplace.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.emplace.compiler.CompileRequest;
import org.emplace.compiler.CompileResult;
import org.emplace.compiler.XdrCompiler;
import org.emplace.tests.codegen.random.JavaSources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The definitions that rpcgen's package installs, each compiled alone, except {@code nis_callback.x}, which uses the types of {@code nis.x}. */
class InstalledProtocolsTest {
    private static final Path FOLDER = Path.of("/usr/include/rpcsvc");

    static List<Path> definitions() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.filter(file -> file.toString().endsWith(".x")).sorted().toList();
        }
    }

    @ParameterizedTest
    @MethodSource("definitions")
    void isTakenAndTheJavaMadeOfItCompilesWithoutAWarning(Path definition) {
        List<CompileRequest.Source> files = Stream.of(definition, FOLDER.resolve("nis.x"))
                .limit(definition.endsWith("nis_callback.x") ? 2 : 1)
                .map(file -> new CompileRequest.Source(file, file.getFileName().toString()))
                .toList();
        CompileResult result = XdrCompiler.compile(new CompileRequest(files, "installed"));

        assertThat(result.failed()).as("%s", result.diagnostics()).isFalse();
        assertThat(JavaSources.compile(result.generated()).messages()).isEmpty();
    }
}
