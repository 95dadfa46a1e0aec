// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.preprocess;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.BooleanSupplier;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.source.Span;

/** The {@code #if} groups that are open at a point of one file. */
final class Conditionals {

    /**
     * One {@code #if} to its {@code #endif}, as far as it is read.
     *
     * @param isOuterActive whether what stands around it is read
     * @param isActive whether what stands here is read
     * @param isTaken whether one of its parts was read, so that no other will be
     * @param isLast whether {@code #else} has come
     */
    private record Group(Span opened, boolean isOuterActive, boolean isActive, boolean isTaken, boolean isLast) {}

    private final Deque<Group> open = new ArrayDeque<>();
    private final Diagnostics diagnostics;

    Conditionals(Diagnostics diagnostics) {
        this.diagnostics = diagnostics;
    }

    /** Whether lines are read here. */
    boolean isActive() {
        Group group = open.peek();
        return group == null || group.isActive();
    }

    /** {@code #if} and its like; the condition is asked for only where it matters. */
    void open(Span span, BooleanSupplier condition) {
        boolean outer = isActive();
        boolean holds = outer && condition.getAsBoolean();
        open.push(new Group(span, outer, holds, holds, false));
    }

    /** {@code #elif} and {@code #else}; the latter with a condition that holds. */
    void alternative(Span span, boolean isLast, BooleanSupplier condition) {
        Group group = open.poll();
        if (group == null || group.isLast()) {
            diagnostics.report(Diagnostic.error(
                    "E116", span, group == null ? "there is no #if for this" : "the #else came before this"));
            if (group != null) {
                open.push(group);
            }
            return;
        }
        boolean holds = group.isOuterActive() && !group.isTaken() && condition.getAsBoolean();
        open.push(new Group(group.opened(), group.isOuterActive(), holds, group.isTaken() || holds, isLast));
    }

    /** {@code #endif}. */
    void close(Span span) {
        if (open.poll() == null) {
            diagnostics.report(Diagnostic.error("E116", span, "there is no #if for this"));
        }
    }

    /** At the end of the file every group has to be closed. */
    void end() {
        open.forEach(
                group -> diagnostics.report(Diagnostic.error("E116", group.opened(), "there is no #endif for this")));
    }
}
