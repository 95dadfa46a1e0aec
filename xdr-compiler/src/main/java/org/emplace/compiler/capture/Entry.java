// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.capture;

import java.util.ArrayList;
import java.util.List;

/** The output for one message or other event on a connection. It grows until it is settled. */
final class Entry {
    private final String place;
    private final List<String> lines = new ArrayList<>();
    private final List<String> remarks = new ArrayList<>();
    private String heading = "";
    private int violations;
    private boolean isSettled;

    /** @param place time, sender and receiver */
    Entry(String place) {
        this.place = place;
    }

    /** Sets the summary. */
    void heading(String text) {
        heading = text;
    }

    /** Adds a line below the heading. */
    void line(String text) {
        lines.add("    " + text);
    }

    /** Adds a line below the last one. */
    void detail(String text) {
        lines.add("        " + text);
    }

    /** Adds a note that explains the rest. */
    void note(String text) {
        remarks.add("    note: " + text);
    }

    /** Reports that a rule is broken, and how. */
    void violation(Rule rule, String what) {
        violations++;
        remarks.add("    VIOLATION: " + what + " (" + rule.sections() + ")");
    }

    int violations() {
        return violations;
    }

    /** Marks the entry as complete. */
    void settle() {
        isSettled = true;
    }

    boolean isSettled() {
        return isSettled;
    }

    /** The whole text. */
    List<String> text() {
        List<String> all = new ArrayList<>();
        all.add(place + "  " + heading);
        all.addAll(lines);
        all.addAll(remarks);
        return all;
    }
}
