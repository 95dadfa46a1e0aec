// SPDX-License-Identifier: Apache-2.0
package org.emplace.maven;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import javax.lang.model.SourceVersion;
import org.emplace.compiler.CompileRequest;
import org.emplace.compiler.CompileRequest.Source;
import org.emplace.compiler.CompileResult;
import org.emplace.compiler.OutputFolder;
import org.emplace.compiler.XdrCompiler;

/** Carries one execution out: compiles if something changed, writes what is new, removes what is no longer generated. */
final class Generation {
    private final GenerateRequest request;
    private final GenerationStates states;

    private Generation(GenerateRequest request) {
        this.request = request;
        this.states = new GenerationStates(request);
    }

    static GenerateResult run(GenerateRequest request) throws IOException, MisconfiguredException {
        return new Generation(request).run();
    }

    private GenerateResult run() throws IOException, MisconfiguredException {
        if (!SourceVersion.isName(request.packageName())) {
            throw new MisconfiguredException(
                    "<packageName> is `" + request.packageName() + "`, which is not a Java package name");
        }
        try (InputFiles files = InputFiles.open(request.input())) {
            return run(files.sources());
        }
    }

    private GenerateResult run(List<Source> sources) throws IOException, MisconfiguredException {
        String fingerprint = Fingerprint.of(request, sources);
        Optional<GenerationState> before = states.own();
        if (before.isPresent() && before.get().isCurrent(fingerprint, request.outputDirectory())) {
            states.settle(before.get());
            return GenerateResult.upToDate(before.get().outputs().size());
        }
        CompileResult result = XdrCompiler.compile(new CompileRequest(
                sources, request.packageName(), request.input().options()));
        if (!result.failed()) {
            states.requireOwn(result.generated().keySet());
            GenerationState now = GenerationState.of(fingerprint, result);
            new OutputFolder(request.outputDirectory()).write(result.generated());
            states.settle(now);
        }
        return new GenerateResult(
                false,
                result.generated().size(),
                Messages.of(
                        result.diagnostics(), result.sources(), request.input().baseDirectory()));
    }
}
