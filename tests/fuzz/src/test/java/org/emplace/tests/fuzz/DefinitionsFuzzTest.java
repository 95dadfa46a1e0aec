// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.emplace.compiler.XdrCompiler;
import org.emplace.compiler.source.SourceFile;

/** Protocol definitions with their bindings: whatever a file holds, the compiler answers with a protocol or with diagnostics, and never throws. */
class DefinitionsFuzzTest {

    @FuzzTest(maxExecutions = Fuzzing.INPUTS, maxDuration = Fuzzing.LONGEST)
    void everyFileIsAnalyzed(byte[] bytes) {
        analyze("fuzz.x", bytes);
    }

    @FuzzTest(maxExecutions = Fuzzing.INPUTS, maxDuration = Fuzzing.LONGEST)
    void everySidecarIsAnalyzed(byte[] bytes) {
        analyze("fuzz.ulb", bytes);
    }

    private static void analyze(String name, byte[] bytes) {
        XdrCompiler.analyze(List.of(new SourceFile(name, new String(bytes, StandardCharsets.ISO_8859_1))));
    }
}
