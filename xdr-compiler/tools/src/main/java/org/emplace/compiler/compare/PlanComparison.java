// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.compare;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;
import org.emplace.compiler.binding.ChunkPlan.EligibleItem;
import org.emplace.compiler.binding.ChunkPlan.Size;
import org.emplace.compiler.binding.ChunkPlan;
import org.emplace.compiler.compare.Comparison.Change.Effect;
import org.emplace.compiler.compare.Comparison.Change;
import org.emplace.compiler.model.Program;
import org.emplace.compiler.model.Protocol;

/** Compares the chunks that calls and replies of a procedure may have. */
record PlanComparison(Side before, Side after, Collection<Change> changes) {

    /** A procedure in one version of the protocol. */
    record Side(Protocol protocol, Program.Procedure procedure, ChunkPlan plan) {

        Map<List<String>, EligibleItem> arguments(boolean flat) {
            return byPath(plan.arguments().items(), paths(flat)::inArguments);
        }

        Map<List<String>, EligibleItem> results(boolean flat) {
            return byPath(plan.results().items(), paths(flat)::inResults);
        }

        WirePaths paths(boolean flat) {
            return new WirePaths(protocol, procedure, flat);
        }

        private static Map<List<String>, EligibleItem> byPath(
                List<EligibleItem> items, Function<List<String>, List<String>> onTheWire) {
            Map<List<String>, EligibleItem> byPath = new LinkedHashMap<>();
            items.forEach(item -> byPath.put(onTheWire.apply(item.path()), item));
            return byPath;
        }
    }

    void compare() {
        ChunkPlan old = before.plan();
        ChunkPlan now = after.plan();
        boolean areArgumentsRegrouped = areRegrouped(Side::arguments);
        boolean areResultsRegrouped = areRegrouped(Side::results);
        items(
                "argument",
                before.arguments(areArgumentsRegrouped),
                after.arguments(areArgumentsRegrouped),
                "an old responder answers a call that has it in a Read chunk as a violation (RFC 8166 section 6)",
                "a new responder answers a call that has it in a Read chunk as a violation (RFC 8166 section 6)");
        items(
                "result",
                before.results(areResultsRegrouped),
                after.results(areResultsRegrouped),
                "an old responder sends it inline or in the Reply chunk, a new one in a Write chunk that was offered for another result",
                "a new requester does not expect it in a Write chunk, and a new responder does not use the chunk of an old requester");
        limit(
                "Read chunks",
                old.readChunkLimit(),
                now.readChunkLimit(),
                !old.arguments().isEmpty() && !now.arguments().isEmpty());
        limit(
                "Write chunks",
                old.writeChunkLimit(),
                now.writeChunkLimit(),
                !old.results().isEmpty() && !now.results().isEmpty());
        size("largest reply", "Reply chunk", old.replyBound(), now.replyBound());
        Map<List<String>, EligibleItem> results = after.results(areResultsRegrouped);
        before.results(areResultsRegrouped).forEach((path, item) -> {
            EligibleItem other = results.get(path);
            if (other != null) {
                size("largest size of " + text(item), "Write chunk", item.size(), other.size());
            }
        });
    }

    /** Whether the items are the same only if the grouping of members in structs, which is not sent, does not count. */
    private boolean areRegrouped(BiFunction<Side, Boolean, Map<List<String>, EligibleItem>> items) {
        return !arePathsEqual(items, false) && arePathsEqual(items, true);
    }

    private boolean arePathsEqual(BiFunction<Side, Boolean, Map<List<String>, EligibleItem>> items, boolean flat) {
        return items.apply(before, flat)
                .keySet()
                .equals(items.apply(after, flat).keySet());
    }

    private void items(
            String kind,
            Map<List<String>, EligibleItem> old,
            Map<List<String>, EligibleItem> now,
            String whyAdded,
            String whyRemoved) {
        now.forEach((path, item) -> {
            if (!old.containsKey(path)) {
                change(kind + " " + text(item) + " is now eligible", whyAdded);
            }
        });
        old.forEach((path, item) -> {
            if (!now.containsKey(path)) {
                change(kind + " " + text(item) + " is no longer eligible", whyRemoved);
            }
        });
        List<List<String>> common = new ArrayList<>(old.keySet());
        common.retainAll(now.keySet());
        List<List<String>> reordered = new ArrayList<>(now.keySet());
        reordered.retainAll(old.keySet());
        if (!common.equals(reordered)) {
            change(
                    "the order of the eligible " + kind + "s changed",
                    "the n-th item takes the n-th chunk (RFC 8166 section 6)");
        }
    }

    private void limit(String chunks, int old, int now, boolean isCommon) {
        if (old != now && isCommon) {
            change(
                    "limit of " + chunks + " changed from " + limit(old) + " to " + limit(now),
                    "the peer with the lower limit treats more chunks as a violation");
        }
    }

    private static String limit(int chunks) {
        return chunks == Integer.MAX_VALUE ? "none" : String.valueOf(chunks);
    }

    /** Reports a changed size. Whether it grew or shrank, a requester with one binding offers less room than a responder with the other may need. */
    private void size(String what, String chunk, Size old, Size now) {
        if (Stream.of(false, true)
                .noneMatch(flat ->
                        before.paths(flat).size(old).equals(after.paths(flat).size(now)))) {
            change(
                    what + " changed",
                    "a requester with one binding offers a " + chunk
                            + " that may be too small for the result of a responder with the other");
        }
    }

    private static String text(EligibleItem item) {
        return String.join(".", item.path());
    }

    private void change(String what, String why) {
        changes.add(new Change(Effect.BINDING_BREAKING, before.procedure().name(), what, why));
    }
}
