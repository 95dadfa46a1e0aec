// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.suggest;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.emplace.compiler.binding.Binding;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.model.Protocol;

/** Writes suggestions as diagnostics. N333: an item that could be eligible. N334: one that needs no clause. N335: bytes that no clause can name. */
public final class SuggestionNotes {

    private static final int MOST_PLACES = 3;

    private SuggestionNotes() {}

    /**
     * The notes on a protocol, by place.
     *
     * @param withObjections whether to add the items that need no clause
     */
    public static List<Diagnostic> of(Protocol protocol, Binding binding, boolean withObjections) {
        List<Diagnostic> notes = new ArrayList<>();
        for (Candidate candidate : Candidates.of(protocol, binding)) {
            if (candidate.objection().isEmpty()) {
                notes.add(suggested(candidate));
            } else if (withObjections) {
                notes.add(notSuggested(candidate, candidate.objection().get()));
            }
        }
        Candidates.bareBytes(protocol, binding).forEach(bare -> notes.add(unnamed(bare)));
        return notes.stream().sorted().distinct().toList();
    }

    private static Diagnostic suggested(Candidate candidate) {
        Diagnostic note =
                note("N333", candidate, "`" + candidate.item() + "` could be DDP-eligible: " + candidate.description());
        for (ItemUse use : candidate.uses().stream().limit(MOST_PLACES).toList()) {
            note = note.note(
                    use.procedure().origin(), use.place() + (use.isRepeated() ? ", one chunk for each element" : ""));
        }
        String about = candidate.adviceOnSize().map("; "::concat).orElse("");
        return note.hint("write " + candidate.comment() + " before it, or " + candidate.sidecarEntry()
                + " in the sidecar" + about);
    }

    private static Diagnostic notSuggested(Candidate candidate, String objection) {
        return note(
                "N334",
                candidate,
                "`" + candidate.item() + "` (" + candidate.description() + ") is not suggested: " + objection);
    }

    private static Diagnostic unnamed(Candidates.BareBytes bare) {
        return new Diagnostic(
                "N335",
                Diagnostic.Severity.NOTE,
                bare.use().procedure().origin(),
                bare.description() + " " + bare.use().place()
                        + " is not a member of a struct or union, so no clause can make it eligible",
                List.of(),
                Optional.of("make it the only member of a struct, which has the same encoding"));
    }

    private static Diagnostic note(String code, Candidate candidate, String message) {
        return new Diagnostic(
                code, Diagnostic.Severity.NOTE, candidate.field().origin(), message, List.of(), Optional.empty());
    }
}
