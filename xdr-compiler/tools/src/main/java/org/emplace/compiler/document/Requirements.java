// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.document;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.emplace.compiler.binding.Binding;
import org.emplace.compiler.binding.ChunkPlan;
import org.emplace.compiler.binding.ChunkPlan.Size;
import org.emplace.compiler.binding.UncountedResult;
import org.emplace.compiler.model.Program;

/**
 * The requirements of RFC 8166 section 6, and of Appendix B of draft-ietf-nfsv4-rfc5666-implementation-experience-03, applied to a version of a
 * program.
 */
record Requirements(Program.Version version, Binding.VersionBinding binding) {

    /**
     * A requirement, and how this binding meets it.
     *
     * @param isMet whether it does
     * @param source the document that requires it
     */
    record Requirement(boolean isMet, String what, String source, String answer) {}

    private static final String ULB = "RFC 8166 section 6";
    private static final String APPENDIX = "Appendix B, ";

    List<Requirement> all() {
        List<Requirement> all = new ArrayList<>();
        all.add(new Requirement(
                binding.bound() || binding.backward(),
                "There is a binding for this program and version",
                ULB + "; " + APPENDIX + "2",
                binding.bound() ? "This document." : "None is stated: no message is ever reduced."));
        if (binding.backward()) {
            all.add(new Requirement(
                    true,
                    "No chunks in the backward direction",
                    "draft-ietf-nfsv4-rfc5666bis-01 section 8.4",
                    "Calls and replies go inline, whole."));
            return all;
        }
        all.add(new Requirement(
                true,
                "Which XDR data items are DDP-eligible",
                ULB + ".1; " + APPENDIX + "1, 3, 4",
                eligible().isEmpty() ? "None." : String.join(", ", eligible()) + ". No other item is."));
        all.add(new Requirement(
                true, "One chunk holds one whole item", APPENDIX + "3, 11", "No eligible item is a part of another."));
        all.add(mapping());
        all.add(writeLists());
        all.add(new Requirement(
                true,
                "How violations are answered",
                ULB + "; " + APPENDIX + "12",
                (binding.violation() == Binding.ViolationAnswer.GARBAGE_ARGS
                                ? "A responder answers with the RPC error GARBAGE_ARGS"
                                : "A responder answers with RDMA_ERROR, ERR_CHUNK")
                        + "; a requester fails the call whose reply breaks the binding."));
        all.add(new Requirement(true, "Limits of chunks", APPENDIX + "6", "As listed for each procedure."));
        all.add(longMessages());
        all.add(port());
        return all;
    }

    private Set<String> eligible() {
        Set<String> items = new LinkedHashSet<>();
        for (Program.Procedure procedure : version.procedures()) {
            plan(procedure).arguments().items().forEach(item -> items.add(item.item() + " as argument"));
            plan(procedure).results().items().forEach(item -> items.add(item.item() + " as result"));
        }
        return items;
    }

    private Requirement mapping() {
        List<String> uncounted = version.procedures().stream()
                .flatMap(procedure -> UncountedResult.of(plan(procedure)).stream()
                        .map(each -> procedure.name() + ": " + each.example().replace("`", "")))
                .toList();
        return new Requirement(
                uncounted.isEmpty(),
                "Which Write chunk takes which result",
                ULB + "; " + APPENDIX + "9, 10",
                "The n-th eligible result that is present in the reply takes the n-th Write chunk; one that is absent takes none."
                        + listed(" The requester does not know how many Write chunks to offer for ", uncounted));
    }

    private static String listed(String what, List<String> items) {
        return items.isEmpty() ? "" : what + String.join("; ", items) + ".";
    }

    private Requirement writeLists() {
        String unsized = version.procedures().stream()
                .flatMap(procedure -> plan(procedure).results().items().stream())
                .filter(item -> item.size() instanceof Size.Unbounded)
                .map(each -> each.item().toString())
                .distinct()
                .collect(Collectors.joining(", "));
        return new Requirement(
                unsized.isEmpty(),
                "Write lists are offered for eligible results",
                APPENDIX + "8",
                unsized.isEmpty()
                        ? "The largest size of each is known when the call is made."
                        : "Nothing says how large " + unsized
                                + " gets: its chunk is as large as the caller's destination or, without one, as the caller's limit"
                                + " for replies of unknown size.");
    }

    private Requirement longMessages() {
        String unbounded = version.procedures().stream()
                .filter(procedure -> plan(procedure).replyBound() instanceof Size.Unbounded)
                .map(Program.Procedure::name)
                .collect(Collectors.joining(", "));
        return new Requirement(
                unbounded.isEmpty(),
                "Long messages",
                APPENDIX + "5, 7",
                "A message that does not fit inline goes by Position Zero Read chunk or Reply chunk as a whole, eligible or not."
                        + (unbounded.isEmpty() ? "" : " Nothing bounds the replies of " + unbounded + "."));
    }

    private Requirement port() {
        String netids = String.join(", ", binding.netids());
        return new Requirement(
                binding.port().isPresent(),
                "rpcbind port for RDMA transports",
                "RFC 8166 sections 5 and 6",
                binding.port().isPresent()
                        ? "Port " + binding.port().getAsInt() + ", netid " + netids + "."
                        : "None is assigned: clients ask rpcbind, netid " + netids + ".");
    }

    private ChunkPlan plan(Program.Procedure procedure) {
        return Objects.requireNonNull(binding.procedures().get(procedure.name()));
    }
}
