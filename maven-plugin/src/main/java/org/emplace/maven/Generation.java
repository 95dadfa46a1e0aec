// SPDX-License-Identifier: Apache-2.0
package org.emplace.maven;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.lang.model.SourceVersion;
import org.emplace.compiler.CompileRequest;
import org.emplace.compiler.CompileRequest.Source;
import org.emplace.compiler.CompileResult;
import org.emplace.compiler.OutputFolder;
import org.emplace.compiler.XdrCompiler;
import org.emplace.compiler.diagnostic.Diagnostic.Severity;
import org.emplace.compiler.diagnostic.DiagnosticRenderer;

/** Carries one execution out: compiles if something changed, writes what is new, removes what is no longer generated. */
final class Generation {
    private final GenerateRequest request;
    private final Path stateFile;

    private Generation(GenerateRequest request) {
        this.request = request;
        this.stateFile = request.stateDirectory().resolve(request.execution() + ".state");
    }

    static GenerateResult run(GenerateRequest request) throws IOException, MisconfiguredException {
        return new Generation(request).run();
    }

    private GenerateResult run() throws IOException, MisconfiguredException {
        if (!SourceVersion.isName(request.packageName())) {
            throw new MisconfiguredException(
                    "<packageName> is `" + request.packageName() + "`, which is not a Java package name");
        }
        List<Source> sources = InputFiles.of(request);
        String fingerprint = Fingerprint.of(request, sources);
        Optional<GenerationState> before = GenerationState.read(stateFile);
        if (before.isPresent()
                && before.get().fingerprint().equals(fingerprint)
                && before.get().isIntactIn(request.outputDirectory())) {
            return GenerateResult.upToDate(before.get().outputs().size());
        }
        CompileResult result = XdrCompiler.compile(new CompileRequest(sources, request.packageName()));
        if (!result.failed()) {
            requireOwn(result.generated().keySet());
            new OutputFolder(request.outputDirectory()).write(result.generated());
            SortedMap<String, String> outputs = digests(result.generated().keySet());
            removeOrphans(before.map(GenerationState::outputs).orElse(Collections.emptySortedMap()), outputs);
            new GenerationState(fingerprint, outputs).write(stateFile);
        }
        return new GenerateResult(
                false, result.generated().size(), rendered(result, Severity.ERROR), rendered(result, Severity.WARNING));
    }

    private SortedMap<String, String> digests(Set<String> paths) throws IOException {
        SortedMap<String, String> digests = new TreeMap<>();
        for (String path : paths) {
            digests.put(path, Fingerprint.of(request.outputDirectory().resolve(path)));
        }
        return digests;
    }

    private void removeOrphans(SortedMap<String, String> before, SortedMap<String, String> now) throws IOException {
        for (String path : before.keySet()) {
            if (!now.containsKey(path)) {
                Files.deleteIfExists(request.outputDirectory().resolve(path));
            }
        }
    }

    /** Two executions that write the same file would overwrite each other's in every build. */
    private void requireOwn(Set<String> paths) throws IOException, MisconfiguredException {
        if (!Files.isDirectory(request.stateDirectory())) {
            return;
        }
        List<Path> states;
        try (Stream<Path> files = Files.list(request.stateDirectory())) {
            states = files.filter(file -> !file.equals(stateFile)).sorted().toList();
        }
        for (Path other : states) {
            Set<String> theirs = GenerationState.read(other)
                    .map(state -> state.outputs().keySet())
                    .orElse(Set.of());
            Optional<String> shared = paths.stream().filter(theirs::contains).findFirst();
            if (shared.isPresent()) {
                String execution = other.getFileName().toString().replaceFirst("\\.state$", "");
                throw new MisconfiguredException("executions " + execution + " and " + request.execution()
                        + " both generate " + shared.get() + ": give each a <packageName> of its own");
            }
        }
    }

    private static List<String> rendered(CompileResult result, Severity severity) {
        DiagnosticRenderer renderer = new DiagnosticRenderer(result.sources());
        return result.diagnostics().stream()
                .filter(diagnostic -> diagnostic.severity() == severity)
                .map(renderer::render)
                .map(String::stripTrailing)
                .toList();
    }
}
