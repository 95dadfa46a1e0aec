// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.suggest;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.emplace.compiler.binding.ChunkPlan;
import org.emplace.compiler.model.Target;
import org.emplace.compiler.model.TypeDefinition;

/**
 * An item that a clause could make DDP-eligible, with the reasons for and against.
 *
 * @param description its type and its bound, in words
 * @param size the most bytes that its chunk holds
 * @param uses where it occurs in procedures
 * @param objection why the clause is not suggested; empty if it is suggested
 * @param clauses the clauses to write
 */
public record Candidate(
        Target.Item item,
        TypeDefinition.Field field,
        String description,
        ChunkPlan.Size size,
        List<ItemUse> uses,
        Optional<String> objection,
        String clauses) {

    /** The clause for a size without a bound. */
    static final String UNBOUNDED = "size unbounded";

    private static final int MOST_PLACES = 3;

    public Candidate {
        uses = List.copyOf(uses);
    }

    /** The sidecar entry that makes it eligible. */
    public String sidecarEntry() {
        return "item " + item + " { " + clauses + " }";
    }

    /** The comment that makes it eligible, written before its declaration. */
    public String comment() {
        return "/*@ddp " + clauses + " */";
    }

    /** The reasons for the clause, in words. */
    public String reason() {
        String places = uses.stream().limit(MOST_PLACES).map(ItemUse::place).collect(Collectors.joining(", "));
        int further = uses.size() - MOST_PLACES;
        return description + ", " + places + (further > 0 ? ", and " + further + " more" : "");
    }

    /** What the clause for a result without a bound means, and what to write if its largest size is known after all; empty for others. */
    public Optional<String> adviceOnSize() {
        return clauses.endsWith(UNBOUNDED)
                ? Optional.of("a call that names no destination has 64 KiB for it (CallOptions.withUnboundedReplySize),"
                        + " and fails if it is longer; if a number or an argument (args.NAME) is its largest size"
                        + " in bytes, write that instead of unbounded")
                : Optional.empty();
    }
}
