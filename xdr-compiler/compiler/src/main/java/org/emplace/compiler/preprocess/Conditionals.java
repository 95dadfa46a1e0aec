// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.preprocess;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.BooleanSupplier;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.source.Span;

/** The open {@code #if} groups at a point of a file. */
final class Conditionals {

    /**
     * A group from its {@code #if} to its {@code #endif}, as far as it has been read.
     *
     * @param isOuterActive whether the lines around the group are active
     * @param isActive whether the current lines are active
     * @param isTaken whether a part of the group was active, so that no later part will be
     * @param isLast whether {@code #else} has been read
     */
    private record Group(Span opened, boolean isOuterActive, boolean isActive, boolean isTaken, boolean isLast) {}

    private final Deque<Group> open = new ArrayDeque<>();
    private final Diagnostics diagnostics;

    Conditionals(Diagnostics diagnostics) {
        this.diagnostics = diagnostics;
    }

    /** Whether the current lines are active. */
    boolean isActive() {
        Group group = open.peek();
        return group == null || group.isActive();
    }

    /** Processes {@code #if}, {@code #ifdef} or {@code #ifndef}. Evaluates the condition only if the lines around are active. */
    void open(Span span, BooleanSupplier condition) {
        boolean outer = isActive();
        boolean holds = outer && condition.getAsBoolean();
        open.push(new Group(span, outer, holds, holds, false));
    }

    /** Processes {@code #elif} or {@code #else}; the latter has a condition that is always true. */
    void alternative(Span span, boolean isLast, BooleanSupplier condition) {
        Group group = open.poll();
        if (group == null || group.isLast()) {
            diagnostics.report(
                    Diagnostic.error("E116", span, group == null ? "this has no #if" : "this comes after the #else"));
            if (group != null) {
                open.push(group);
            }
            return;
        }
        boolean holds = group.isOuterActive() && !group.isTaken() && condition.getAsBoolean();
        open.push(new Group(group.opened(), group.isOuterActive(), holds, group.isTaken() || holds, isLast));
    }

    /** Processes {@code #endif}. */
    void close(Span span) {
        if (open.poll() == null) {
            diagnostics.report(Diagnostic.error("E116", span, "this has no #if"));
        }
    }

    /** Reports groups that are still open at the end of the file. */
    void end() {
        open.forEach(group -> diagnostics.report(Diagnostic.error("E116", group.opened(), "this has no #endif")));
    }
}
