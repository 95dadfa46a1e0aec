// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.suggest;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.emplace.compiler.binding.ChunkPlan;
import org.emplace.compiler.model.Target;
import org.emplace.compiler.model.TypeDefinition;

/**
 * An item that a clause could make DDP-eligible, and what speaks for or against it.
 *
 * @param description its type and its bound, in words
 * @param size the most bytes that it moves
 * @param uses where procedures reach it
 * @param objection why the clause is not suggested; empty if it is
 * @param clauses what to write of it
 */
public record Candidate(
        Target.Item item,
        TypeDefinition.Field field,
        String description,
        ChunkPlan.Size size,
        List<ItemUse> uses,
        Optional<String> objection,
        String clauses) {

    private static final int MOST_PLACES = 3;

    public Candidate {
        uses = List.copyOf(uses);
    }

    /** The entry of a sidecar that makes it eligible. */
    public String sidecarEntry() {
        return "item " + item + " { " + clauses + " }";
    }

    /** The comment that makes it eligible, to stand before its declaration. */
    public String comment() {
        return "/*@ddp " + clauses + " */";
    }

    /** What speaks for the clause, in words. */
    public String reason() {
        String places = uses.stream().limit(MOST_PLACES).map(ItemUse::place).collect(Collectors.joining(", "));
        int further = uses.size() - MOST_PLACES;
        return description + ", " + places + (further > 0 ? ", and " + further + " more" : "");
    }

    /** Whether the procedures that return it have no argument that says how large it gets. */
    public boolean isUnforeseen() {
        return clauses.endsWith(SizeClause.UNBOUNDED);
    }
}
