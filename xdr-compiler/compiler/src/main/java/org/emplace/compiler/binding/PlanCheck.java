// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.binding;

import java.util.Map;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.model.Program;
import org.emplace.compiler.model.Target;
import org.emplace.compiler.syntax.Clause;

/**
 * Checks the chunk plans of a version that has eligible items. W322: the requester knows the largest size of replies. W323: it knows how
 * many Write chunks to offer. W324: it knows the server's port. W338: each end accepts the largest message of the other.
 */
record PlanCheck(BindingFacts facts, Diagnostics diagnostics) {

    /** What connections accept if nothing else is said, in bytes: {@code ConnectionOptions.maxMessage}. */
    static final int DEFAULT_MAX_MESSAGE = 4 << 20;

    /** A credential or a verifier of the largest size (RFC 5531 section 8.2). */
    private static final int LARGEST_AUTH = 8 + 400;

    private static final int LARGEST_CALL_HEADER = 6 * Integer.BYTES + 2 * LARGEST_AUTH;
    private static final int LARGEST_REPLY_HEADER = 4 * Integer.BYTES + LARGEST_AUTH;

    void check(Target.Version target, Program.Version version, Map<String, ChunkPlan> plans) {
        if (facts.clauses().of(target, Clause.Backward.class).isPresent()) {
            return;
        }
        if (plans.values().stream().noneMatch(ChunkPlan::hasItems)) {
            return;
        }
        for (Program.Procedure procedure : version.procedures()) {
            ChunkPlan plan = plans.get(procedure.name());
            if (plan != null) {
                check(target, procedure);
                check(new Target.Procedure(target.program(), target.version(), procedure.name()), procedure, plan);
            }
        }
        boolean saysPort = facts.clauses().of(target, Clause.Numeric.Kind.PORT).isPresent()
                || facts.clauses().of(target, Clause.DynamicPort.class).isPresent();
        if (!saysPort) {
            diagnostics.report(Diagnostic.warning(
                            "W324",
                            version.origin(),
                            "the binding of `" + version.name() + "` has no port for RDMA transports")
                    .hint("add port N, or port dynamic if clients ask rpcbind"));
        }
    }

    private void check(Target.Version target, Program.Procedure procedure) {
        LargestSizes sizes = LargestSizes.ofWhole(facts.protocol());
        long call = procedure.arguments().stream()
                .mapToLong(type -> bounded(sizes.of(type)))
                .reduce(LARGEST_CALL_HEADER, Long::sum);
        check(target, procedure, "call", call);
        check(target, procedure, "reply", LARGEST_REPLY_HEADER + bounded(sizes.of(procedure.result())));
    }

    /** What has no bound counts nothing: nobody expects every length to be accepted. */
    private static long bounded(ChunkPlan.Size size) {
        return size instanceof ChunkPlan.Size.Fixed fixed ? fixed.bytes() : 0;
    }

    private void check(Target.Version target, Program.Procedure procedure, String message, long length) {
        int accepted = facts.clauses()
                .of(target, Clause.Numeric.Kind.MAX_MESSAGE)
                .map(clause -> clause.value().number().intValue())
                .orElse(DEFAULT_MAX_MESSAGE);
        if (length > accepted) {
            diagnostics.report(Diagnostic.warning(
                            "W338",
                            procedure.origin(),
                            "a " + message + " of `" + procedure.name() + "` can have " + length
                                    + " bytes with its header, but connections accept " + accepted)
                    .hint(
                            length > Integer.MAX_VALUE
                                    ? "reduce the bounds"
                                    : "reduce the bounds, or add max-message " + length
                                            + " to the binding of the version"));
        }
    }

    private void check(Target.Procedure target, Program.Procedure procedure, ChunkPlan plan) {
        if (plan.replyBound() instanceof ChunkPlan.Size.Unbounded
                && facts.clauses().of(target, Clause.ReplySize.class).isEmpty()) {
            diagnostics.report(Diagnostic.warning(
                            "W322",
                            procedure.origin(),
                            "the size of the replies of `" + procedure.name() + "` has no bound")
                    .hint("bound the types, or add reply-size N, reply-size args.member or reply-size unbounded"));
        }
        for (UncountedResult uncounted : UncountedResult.of(plan)) {
            diagnostics.report(Diagnostic.warning(
                            "W323",
                            procedure.origin(),
                            "the number of Write chunks of `" + procedure.name() + "` is not known: "
                                    + uncounted.example())
                    .hint("bound the array, or state how many chunks a call offers with write-chunks N"));
        }
    }
}
