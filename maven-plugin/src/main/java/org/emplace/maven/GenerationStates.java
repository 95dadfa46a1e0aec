// SPDX-License-Identifier: Apache-2.0
package org.emplace.maven;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The states of a goal's executions in a module: one that runs may remove what it, or an execution that is no more, generated before. */
final class GenerationStates {
    private static final String ENDING = ".state";

    private final GenerateRequest request;

    GenerationStates(GenerateRequest request) {
        this.request = request;
    }

    /** What this execution generated last. */
    Optional<GenerationState> own() throws IOException {
        return GenerationState.read(file(request.execution()));
    }

    /**
     * Two executions that write the same file would overwrite each other's in every build. One on the command line may write what others do:
     * the next build takes it over.
     */
    void requireOwn(Set<String> paths) throws IOException, MisconfiguredException {
        if (!isDeclared(request.execution())) {
            return;
        }
        for (Map.Entry<String, GenerationState> other : others().entrySet()) {
            Set<String> theirs = other.getValue().outputs().keySet();
            Optional<String> shared = paths.stream().filter(theirs::contains).findFirst();
            if (shared.isPresent() && isDeclared(other.getKey())) {
                throw new MisconfiguredException("executions " + other.getKey() + " and " + request.execution()
                        + " both generate " + shared.get() + ": give each a <packageName> of its own");
            }
        }
    }

    /** Makes this the state of the execution, and removes sources that neither it nor another execution generates any more. */
    void settle(GenerationState now) throws IOException {
        Optional<GenerationState> before = own();
        Set<String> orphans = new TreeSet<>();
        before.ifPresent(state -> orphans.addAll(state.sources()));
        Set<String> wanted = new HashSet<>(now.sources());
        for (Map.Entry<String, GenerationState> other : others().entrySet()) {
            (isDeclared(other.getKey()) ? wanted : orphans)
                    .addAll(other.getValue().sources());
        }
        orphans.removeAll(wanted);
        for (String orphan : orphans) {
            Files.deleteIfExists(request.input().baseDirectory().resolve(orphan));
        }
        for (String other : others().keySet()) {
            if (!isDeclared(other)) {
                Files.delete(file(other));
            }
        }
        if (!before.equals(Optional.of(now))) {
            now.write(file(request.execution()));
        }
    }

    private boolean isDeclared(String execution) {
        return request.executions().isEmpty() || request.executions().get().contains(execution);
    }

    private Map<String, GenerationState> others() throws IOException {
        Map<String, GenerationState> others = new TreeMap<>();
        if (!Files.isDirectory(request.stateDirectory())) {
            return others;
        }
        List<String> executions;
        try (Stream<Path> files = Files.list(request.stateDirectory())) {
            executions = files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(ENDING))
                    .map(name -> name.substring(0, name.length() - ENDING.length()))
                    .filter(name -> !name.equals(request.execution()))
                    .toList();
        }
        for (String execution : executions) {
            GenerationState.read(file(execution)).ifPresent(state -> others.put(execution, state));
        }
        return others;
    }

    private Path file(String execution) {
        return request.stateDirectory().resolve(execution + ENDING);
    }
}
