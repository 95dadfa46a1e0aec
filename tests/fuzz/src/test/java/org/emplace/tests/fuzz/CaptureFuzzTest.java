// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.emplace.compiler.XdrCompiler;
import org.emplace.compiler.capture.CaptureExplainer.MalformedCapture;
import org.emplace.compiler.capture.CaptureExplainer;
import org.emplace.compiler.javamodel.JavaModel;
import org.emplace.compiler.source.SourceFile;
import org.junit.jupiter.api.BeforeAll;

/** Captures: whatever a file holds, it is explained, or refused with the place where it is malformed. */
class CaptureFuzzTest {
    private static JavaModel nfs;

    @BeforeAll
    static void readDefinitions() throws IOException {
        SourceFile definitions = SourceFile.read(Path.of("../../spec/nfs3.x"), "nfs3.x");
        nfs = XdrCompiler.analyze(List.of(definitions)).meaning().orElseThrow();
    }

    @FuzzTest(maxExecutions = Fuzzing.INPUTS, maxDuration = Fuzzing.LONGEST)
    void everyFileIsExplainedOrRefused(byte[] bytes) throws IOException {
        try {
            CaptureExplainer.explain(new ByteArrayInputStream(bytes), nfs.protocol(), nfs.binding(), false, line -> {});
        } catch (MalformedCapture refused) {
            // That is the designed answer; any other exception fails the test.
        }
    }
}
