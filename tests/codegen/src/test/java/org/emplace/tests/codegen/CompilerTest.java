// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.stream.Stream;
import org.emplace.compiler.CompileRequest;
import org.emplace.compiler.CompileRequest.Source;
import org.emplace.compiler.CompileResult;
import org.emplace.compiler.XdrCompiler;
import org.emplace.tests.codegen.random.JavaSources;
import org.junit.jupiter.api.io.TempDir;

/** Compiles protocols and their generated sources. */
abstract class CompilerTest {
    static final Path CONSTRUCTS = Path.of("src/main/xdr/constructs.x");

    static final Path ALBUM = Path.of("src/main/album/album.x");

    static final Path SPEC = Path.of("../../spec");

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    Path folder;

    static SortedMap<String, String> generated(Path... files) {
        List<Source> sources = Stream.of(files)
                .map(file -> new Source(file, file.getFileName().toString()))
                .toList();
        CompileResult result = XdrCompiler.compile(new CompileRequest(sources, "p.q"));
        assertThat(result.failed()).as("%s", result.diagnostics()).isFalse();
        return result.generated();
    }

    SortedMap<String, String> generated(String xdr) throws IOException {
        return generated(Files.writeString(folder.resolve("test.x"), xdr));
    }

    /** The messages of javac, with all warnings enabled. */
    static String javac(Map<String, String> sources) {
        return JavaSources.compile(sources).messages();
    }
}
