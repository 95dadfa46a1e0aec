// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.starter;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.emplace.compiler.binding.Binding;
import org.emplace.compiler.model.Protocol;
import org.emplace.compiler.model.Target;
import org.emplace.compiler.suggest.Candidate;
import org.emplace.compiler.suggest.Candidates;

/**
 * Writes the first sidecar of a protocol. It sets a port for each version without a binding. Items that could be DDP-eligible are in comments: only
 * the authors of all peers together can decide that, and the protocol works without eligible items until they do.
 */
final class BindingSkeleton {
    private BindingSkeleton() {}

    /** The text for a protocol's file; empty if it needs no clauses. */
    static Optional<String> of(Protocol protocol, Binding binding, String fileName, int port) {
        List<Target.Version> unbound = binding.versions().entrySet().stream()
                .filter(version -> !version.getValue().bound())
                .map(Map.Entry::getKey)
                .toList();
        List<Candidate> suggested = Candidates.of(protocol, binding).stream()
                .filter(candidate -> candidate.objection().isEmpty())
                .toList();
        if (unbound.isEmpty() && suggested.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(Template.of("binding.ulb")
                .with(Map.of(
                        "file",
                        fileName,
                        "versions",
                        unbound.stream()
                                .map(version -> "version " + version + " { port " + port + " }")
                                .collect(Collectors.joining("\n")),
                        "items",
                        suggested.stream().map(BindingSkeleton::inComments).collect(Collectors.joining("\n\n")))));
    }

    private static String inComments(Candidate candidate) {
        String about = candidate.adviceOnSize().map("; "::concat).orElse("");
        return "/* " + candidate.reason().replace("`", "") + about + " */\n/* " + candidate.sidecarEntry() + " */";
    }
}
