// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen.mapping;

import java.util.ArrayList;
import java.util.List;

/**
 * One call: what is sent, what the server answers, and where the caller wants it.
 *
 * @param plans the destinations of each payload item; empty for none at all
 * @param unboundedReply see {@code CallOptions}
 * @param arguments draws the memory in which the arguments are
 */
record Exchange(
        Draft draft,
        Values.Value arguments,
        Values.Value results,
        List<Plan> plans,
        int unboundedReply,
        Draws memory,
        boolean violates) {

    static Exchange of(Draft draft, Draws draws) {
        Sizes sizes = new Sizes(draft, draws.at("sizes"));
        boolean honest = !draws.at("dishonest").oneIn(40);
        Values.Value arguments = Values.arguments(draft, sizes, draws.at("arguments"));
        Values.Value results = Values.results(draft, sizes, draws.at("results"), honest);
        List<Plan> plans = new PlanDraw(draft, sizes, results).plans(draws.at("destinations"));
        int unbounded = List.of(64 << 10, 64 << 10, 2_000, 300_000)
                .get(draws.at("unbounded").below(4));
        long replyBound = draft.replySize().of(sizes, Size.UNBOUNDED, 0);
        boolean longer = replyBound >= 0 && results.encoding().lengthWithoutItems() > replyBound;
        return new Exchange(
                draft, arguments, results, plans, unbounded, draws.at("memory"), results.violates() || longer);
    }

    /** The index of an item among the payload items, or -1. */
    int payload(Node.Item item) {
        int payload = 0;
        for (Items.Found each : draft.resultItems()) {
            if (each.item() == item) {
                return each.isPayload() ? payload : -1;
            }
            payload += each.isPayload() ? 1 : 0;
        }
        throw new IllegalArgumentException("no item of the results");
    }

    /** The payloads that are present, in stream order. */
    List<Encoding.Placed> payloads() {
        List<Encoding.Placed> present = new ArrayList<>(results.encoding().items());
        present.removeIf(each -> !each.item().content().isPayload());
        return present;
    }

    /** The destination that the caller wants for an item. */
    Plan.Slot slot(Encoding.Placed item) {
        int payload = payload(item.item());
        return payload >= 0 && payload < plans.size() ? plans.get(payload).of(item.element()) : new Plan.Nowhere();
    }

    /** Whether a destination is smaller than its item. */
    boolean isTooSmall() {
        return payloads().stream()
                .anyMatch(each -> slot(each) instanceof Plan.Pieces pieces && pieces.capacity() < each.length());
    }

    /**
     * Whether the reply may have no room over RDMA: something without a limit is longer than what is allocated for it.
     *
     * @param isWarned whether the compiler warns that replies may have no limit
     */
    boolean isLongerThanOffered(boolean isWarned) {
        Encoding reply = results.encoding();
        if (isWarned && reply.length() > unboundedReply) {
            return true;
        }
        return (draft.replySize() instanceof Size.Unbounded && reply.lengthWithoutItems() > unboundedReply)
                || reply.items().stream()
                        .anyMatch(each -> each.size() == Size.UNBOUNDED
                                && each.length() > unboundedReply
                                && !(slot(each) instanceof Plan.Pieces));
    }

    /** The name of an item, with the index of its element. */
    String name(Encoding.Placed item) {
        Items.Found found = draft.resultItems().stream()
                .filter(each -> each.item() == item.item())
                .findAny()
                .orElseThrow();
        return found.path() + (found.inside().isEmpty() ? "" : " of element " + item.element());
    }

    /** Whether every item is present for which there is a destination. */
    boolean isComplete() {
        if (!results.complete()) {
            return false;
        }
        int payload = 0;
        for (Items.Found each : draft.resultItems()) {
            boolean varies =
                    each.inside().stream().anyMatch(in -> !(in instanceof Node.Array array && array.isFixed()));
            int count = !each.isPayload() || plans.isEmpty()
                    ? 0
                    : plans.get(payload++).byElement().size();
            if (varies
                    && (each.inside().size() > 1
                            || count != results.elements().all(each.inside().get(0)))) {
                return false;
            }
        }
        return true;
    }

    /** The call in words. */
    String text() {
        StringBuilder text = new StringBuilder();
        text.append(arguments.encoding().length()).append(" bytes of arguments, eligible:\n");
        arguments
                .encoding()
                .items()
                .forEach(each -> text.append("    ").append(each.length()).append(" bytes\n"));
        text.append(results.encoding().length())
                .append(" bytes of results")
                .append(violates ? ", which break the binding" : "")
                .append(", eligible:\n");
        results.encoding()
                .items()
                .forEach(each -> text.append("    ")
                        .append(name(each))
                        .append(": ")
                        .append(each.length())
                        .append(" bytes of ")
                        .append(each.size())
                        .append('\n'));
        int payload = 0;
        for (Items.Found each : draft.resultItems()) {
            if (each.isPayload() && payload < plans.size()) {
                text.append("destinations for ")
                        .append(each.path())
                        .append(": ")
                        .append(plans.get(payload++).byElement())
                        .append('\n');
            }
        }
        return text.append("unbounded reply ")
                .append(unboundedReply)
                .append('\n')
                .toString();
    }
}
