// SPDX-License-Identifier: Apache-2.0
package org.emplace.maven;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.lang.model.SourceVersion;
import org.emplace.compiler.CompileRequest;
import org.emplace.compiler.CompileRequest.Source;
import org.emplace.compiler.CompileResult;
import org.emplace.compiler.DefinitionArchive;
import org.emplace.compiler.OutputFolder;
import org.emplace.compiler.XdrCompiler;
import org.emplace.compiler.output.GenerationState;
import org.emplace.compiler.output.GenerationStates;

/** Runs an execution: compiles if something changed, writes changed sources, and removes those that are no longer generated. */
final class Generation {

    /**
     * The result of an execution.
     *
     * @param isUpToDate whether nothing had to be done
     * @param generated the number of its sources
     * @param messages of the compiler; if there are errors, nothing was changed
     */
    record Result(boolean isUpToDate, int generated, Messages messages) {}

    private final GenerateRequest request;
    private final GenerationStates states;

    private Generation(GenerateRequest request) {
        this.request = request;
        this.states = new GenerationStates(
                request.input().baseDirectory(),
                request.stateDirectory(),
                request.execution(),
                (execution, state) -> request.isDeclared(execution));
    }

    static Result run(GenerateRequest request) throws IOException, MisconfiguredException {
        return new Generation(request).run();
    }

    private Result run() throws IOException, MisconfiguredException {
        if (!SourceVersion.isName(request.packageName())) {
            throw new MisconfiguredException(
                    "<packageName> is `" + request.packageName() + "`, which is not a Java package name");
        }
        try (InputFiles files = InputFiles.open(request.input())) {
            return run(files.sources());
        }
    }

    private Result run(List<Source> sources) throws IOException, MisconfiguredException {
        String fingerprint = Fingerprint.of(request, sources);
        CompileRequest compile = new CompileRequest(
                sources, request.packageName(), request.input().options());
        Optional<GenerationState> before = states.own();
        if (before.isPresent() && before.get().isCurrent(fingerprint, request.outputDirectory())) {
            states.settle(before.get());
            share(compile);
            return new Result(true, before.get().outputs().size(), Messages.NONE);
        }
        CompileResult result = XdrCompiler.compile(compile);
        if (!result.failed()) {
            requireOwn(result.generated().keySet());
            requireGenerated(result.generated().keySet());
            GenerationState now =
                    GenerationState.of(fingerprint, request.outputFolder(), result.dependencies(), result.generated());
            new OutputFolder(request.outputDirectory()).write(result.generated());
            states.settle(now);
            share(compile);
        }
        return new Result(
                false,
                result.generated().size(),
                Messages.of(
                        result.diagnostics(), result.sources(), request.input().baseDirectory()));
    }

    private void share(CompileRequest compile) throws IOException {
        if (request.sharedDirectory().isPresent()) {
            new OutputFolder(request.sharedDirectory().get()).replace(DefinitionArchive.contents(compile));
        }
    }

    /** Rejects files that this execution has not written itself: they may be the user's. */
    private void requireGenerated(Set<String> paths) throws IOException, MisconfiguredException {
        Optional<Path> foreign = states.foreign(request.outputDirectory(), paths);
        if (foreign.isPresent()) {
            throw new MisconfiguredException("will not overwrite " + foreign.get()
                    + ", which this plugin did not generate: choose another <outputDirectory> or <packageName>");
        }
    }

    /**
     * Rejects two executions that generate the same file: each build would overwrite the file twice. An execution on the command line may generate
     * files of others; the next build claims them again.
     */
    private void requireOwn(Set<String> paths) throws IOException, MisconfiguredException {
        if (!request.isDeclared(request.execution())) {
            return;
        }
        for (Map.Entry<String, GenerationState> other : states.others().entrySet()) {
            Set<String> theirs = other.getValue().outputs().keySet();
            Optional<String> shared = paths.stream().filter(theirs::contains).findFirst();
            if (shared.isPresent() && request.isDeclared(other.getKey())) {
                throw new MisconfiguredException("executions " + other.getKey() + " and " + request.execution()
                        + " both generate " + shared.get() + "; give each its own <packageName>");
            }
        }
    }
}
