// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.compare;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.emplace.compiler.binding.Binding;
import org.emplace.compiler.binding.ChunkPlan;
import org.emplace.compiler.binding.ChunkPlan.EligibleItem;
import org.emplace.compiler.binding.ChunkPlan.Size;
import org.emplace.compiler.compare.Change.Effect;

/** Compares the bindings of versions and procedures that have the same names. */
record BindingComparison(Comparison.Side before, Comparison.Side after, Collection<Change> changes) {

    void compare() {
        before.binding().versions().forEach((name, old) -> {
            Binding.VersionBinding now = after.binding().versions().get(name);
            if (now != null) {
                version(name, old, now);
            }
        });
        names();
    }

    private void names() {
        Map<String, String> old = before.binding().javaNames();
        Map<String, String> now = after.binding().javaNames();
        TreeSet<String> all = new TreeSet<>(old.keySet());
        all.addAll(now.keySet());
        for (String name : all) {
            String first = old.getOrDefault(name, "");
            String second = now.getOrDefault(name, "");
            if (!first.equals(second)) {
                change(
                        Effect.API_BREAKING,
                        name,
                        "Java name " + (second.isEmpty() ? first + " removed" : "is " + second),
                        "code that uses the generated name no longer compiles");
            }
        }
    }

    private void version(String name, Binding.VersionBinding old, Binding.VersionBinding now) {
        if (!old.port().equals(now.port())) {
            change(
                    Effect.BINDING_BREAKING,
                    name,
                    "port changed",
                    "clients that know the old port find no server there");
        }
        if (!old.netids().equals(now.netids())) {
            change(
                    Effect.BINDING_BREAKING,
                    name,
                    "netids changed from " + String.join(", ", old.netids()) + " to " + String.join(", ", now.netids()),
                    "clients ask rpcbind for a netid");
        }
        if (!old.inlineThreshold().equals(now.inlineThreshold())) {
            change(
                    Effect.COMPATIBLE,
                    name,
                    "recommended inline threshold changed",
                    "each peer tells its own threshold, and a message that does not fit goes by chunk (RFC 5666bis section 6.4)");
        }
        if (old.violation() != now.violation()) {
            change(
                    Effect.COMPATIBLE,
                    name,
                    "violations are answered by " + now.violation(),
                    "a requester takes either answer as the end of the call");
        }
        if (old.backward() != now.backward()) {
            change(
                    Effect.BINDING_BREAKING,
                    name,
                    now.backward() ? "called in backward direction now" : "no longer called in backward direction",
                    "the other side makes the calls, and there are no chunks in backward direction (RFC 5666bis section 8.4)");
        }
        old.procedures().forEach((procedure, plan) -> {
            ChunkPlan other = now.procedures().get(procedure);
            if (other != null) {
                plan(procedure, plan, other);
            }
        });
    }

    private void plan(String procedure, ChunkPlan old, ChunkPlan now) {
        items(procedure, "argument", old.arguments(), now.arguments());
        items(procedure, "result", old.results(), now.results());
        limit(
                procedure,
                "Read chunks",
                old.readChunkLimit(),
                now.readChunkLimit(),
                !old.arguments().isEmpty() && !now.arguments().isEmpty());
        limit(
                procedure,
                "Write chunks",
                old.writeChunkLimit(),
                now.writeChunkLimit(),
                !old.results().isEmpty() && !now.results().isEmpty());
        if (!old.replyBound().equals(now.replyBound())) {
            boolean isSmaller = now.replyBound() instanceof Size.Fixed second
                    && (!(old.replyBound() instanceof Size.Fixed first) || second.bytes() < first.bytes());
            change(
                    isSmaller ? Effect.BINDING_BREAKING : Effect.COMPATIBLE,
                    procedure,
                    isSmaller ? "largest reply is smaller" : "largest reply changed",
                    isSmaller
                            ? "a new requester offers a Reply chunk into which an old responder's reply may not fit"
                            : "a requester offers as large a Reply chunk as it computes, and a responder takes what is offered");
        }
    }

    private void items(String procedure, String kind, List<EligibleItem> old, List<EligibleItem> now) {
        List<String> first = paths(old);
        List<String> second = paths(now);
        for (String path : second) {
            if (!first.contains(path)) {
                change(
                        Effect.BINDING_BREAKING,
                        procedure,
                        kind + " " + path + " is eligible now",
                        kind.equals("argument")
                                ? "an old responder answers a call that has it in a Read chunk as a violation (RFC 5666bis section 6.3)"
                                : "an old responder puts it inline or into the Reply chunk, and a new one into a Write chunk that others may take");
            }
        }
        for (String path : first) {
            if (!second.contains(path)) {
                change(
                        Effect.BINDING_BREAKING,
                        procedure,
                        kind + " " + path + " is no longer eligible",
                        kind.equals("argument")
                                ? "a new responder answers a call that has it in a Read chunk as a violation (RFC 5666bis section 6.3)"
                                : "a new requester does not expect it in a Write chunk, and a new responder leaves the chunks of old ones unused");
            }
        }
        List<String> common = new ArrayList<>(first);
        common.retainAll(second);
        List<String> reordered = new ArrayList<>(second);
        reordered.retainAll(first);
        if (!common.equals(reordered)) {
            change(
                    Effect.BINDING_BREAKING,
                    procedure,
                    "eligible " + kind + "s are in another order",
                    "the n-th takes the n-th chunk (RFC 5666bis section 6.2)");
        }
        for (EligibleItem item : old) {
            now.stream()
                    .filter(other ->
                            other.path().equals(item.path()) && !other.size().equals(item.size()))
                    .forEach(
                            other -> change(
                                    Effect.COMPATIBLE,
                                    procedure,
                                    "largest size of " + String.join(".", item.path()) + " changed",
                                    "a requester offers what its own binding says; a result that does not fit is answered by an error"));
        }
    }

    private void limit(String procedure, String chunks, int old, int now, boolean isCommon) {
        if (old != now && isCommon) {
            change(
                    Effect.BINDING_BREAKING,
                    procedure,
                    chunks + " limited to " + now + ", and before to " + old,
                    "the peer with the lower limit takes more as a violation");
        }
    }

    private static List<String> paths(List<EligibleItem> items) {
        return items.stream().map(item -> String.join(".", item.path())).toList();
    }

    private void change(Effect effect, String where, String what, String why) {
        changes.add(new Change(effect, where, what, why));
    }
}
