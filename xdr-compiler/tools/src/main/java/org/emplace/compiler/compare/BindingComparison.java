// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.compare;

import java.util.Collection;
import java.util.Objects;
import org.emplace.compiler.binding.Binding;
import org.emplace.compiler.binding.ChunkPlan;
import org.emplace.compiler.compare.Comparison.Change;
import org.emplace.compiler.compare.Comparison.Change.Effect;
import org.emplace.compiler.javamodel.JavaModel;
import org.emplace.compiler.model.Program;
import org.emplace.compiler.model.Target;

/** Compares the bindings of versions and procedures that have the same numbers. */
record BindingComparison(JavaModel before, JavaModel after, Collection<Change> changes) {

    void compare(Program oldProgram, Program.Version old, Program newProgram, Program.Version now) {
        Binding.VersionBinding first = binding(before, oldProgram, old);
        Binding.VersionBinding second = binding(after, newProgram, now);
        clauses(oldProgram.name() + "." + old.name(), first, second);
        for (Program.Procedure procedure : old.procedures()) {
            now.procedures().stream()
                    .filter(other -> other.number() == procedure.number())
                    .forEach(other -> new PlanComparison(
                                    new PlanComparison.Side(before.protocol(), procedure, plan(first, procedure)),
                                    new PlanComparison.Side(after.protocol(), other, plan(second, other)),
                                    changes)
                            .compare());
        }
    }

    private static Binding.VersionBinding binding(JavaModel side, Program program, Program.Version version) {
        return Objects.requireNonNull(
                side.binding().versions().get(new Target.Version(program.name(), version.name())));
    }

    private static ChunkPlan plan(Binding.VersionBinding binding, Program.Procedure procedure) {
        return Objects.requireNonNull(binding.procedures().get(procedure.name()));
    }

    private void clauses(String name, Binding.VersionBinding old, Binding.VersionBinding now) {
        if (old.port().isPresent() && !old.port().equals(now.port())) {
            change(
                    Effect.BINDING_BREAKING,
                    name,
                    "port changed from " + port(old) + " to " + port(now),
                    "clients that use the old port find no server there");
        } else if (!old.port().equals(now.port())) {
            change(
                    Effect.COMPATIBLE,
                    name,
                    "port set to " + port(now),
                    "old clients ask rpcbind, which reports the port");
        }
        if (!old.netids().equals(now.netids())) {
            change(
                    Effect.BINDING_BREAKING,
                    name,
                    "netids changed from " + String.join(", ", old.netids()) + " to " + String.join(", ", now.netids()),
                    "clients look up a netid in rpcbind, and the one that they know may be gone");
        }
        if (!old.inlineThreshold().equals(now.inlineThreshold())) {
            change(
                    now.backward() ? Effect.BINDING_BREAKING : Effect.COMPATIBLE,
                    name,
                    "recommended inline threshold changed",
                    now.backward()
                            ? "there are no chunks in the backward direction: what is too long for the peer's threshold cannot be sent (RFC 8167 section 5)"
                            : "each peer announces its own threshold, and a message that does not fit goes by chunk (RFC 8166 section 6.3)");
        }
        if (!old.maxMessage().equals(now.maxMessage())) {
            change(
                    Effect.BINDING_BREAKING,
                    name,
                    "the length of the largest message changed",
                    "a peer that accepts less refuses a longer message, or ends the connection");
        }
        if (old.violation() != now.violation()) {
            change(
                    Effect.COMPATIBLE,
                    name,
                    "violations are now answered by " + now.violation(),
                    "either answer ends the call at the requester");
        }
        if (old.backward() != now.backward()) {
            change(
                    Effect.BINDING_BREAKING,
                    name,
                    now.backward()
                            ? "now called in the backward direction"
                            : "no longer called in the backward direction",
                    "the other side makes the calls, and there are no chunks in the backward direction (draft-ietf-nfsv4-rfc5666bis-01 section 8.4)");
        }
    }

    private static String port(Binding.VersionBinding binding) {
        return binding.port().isPresent() ? String.valueOf(binding.port().getAsInt()) : "the port that rpcbind reports";
    }

    private void change(Effect effect, String where, String what, String why) {
        changes.add(new Change(effect, where, what, why));
    }
}
