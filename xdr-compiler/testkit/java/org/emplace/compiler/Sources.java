// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.javamodel.JavaModel;
import org.emplace.compiler.source.SourceFile;

/** Source texts for tests: the first is {@code test.x}, a second one its sidecar. */
final class Sources {

    private Sources() {}

    /** What texts mean, which have no errors. */
    static JavaModel meaning(String xdr) {
        return meaning(List.of(new SourceFile("test.x", xdr)));
    }

    /** What an XDR text means with a sidecar, which have no errors. */
    static JavaModel meaning(String xdr, String sidecar) {
        return meaning(List.of(new SourceFile("test.x", xdr), new SourceFile("test.ulb", sidecar)));
    }

    static JavaModel meaning(List<SourceFile> sources) {
        Analysis analysis = XdrCompiler.analyze(sources);
        assertThat(analysis.diagnostics())
                .filteredOn(diagnostic -> diagnostic.severity() == Diagnostic.Severity.ERROR)
                .isEmpty();
        return analysis.meaning().orElseThrow();
    }

    /** The codes of all diagnostics for a text. */
    static Stream<String> codes(String xdr) {
        return XdrCompiler.analyze(List.of(new SourceFile("test.x", xdr))).diagnostics().stream()
                .map(Diagnostic::code);
    }
}
