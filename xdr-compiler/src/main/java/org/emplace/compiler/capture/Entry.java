// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.capture;

import java.util.ArrayList;
import java.util.List;

/** What is to be said of one message, or of something else that happened on a connection. It grows until it is settled. */
final class Entry {
    private final String place;
    private final List<String> lines = new ArrayList<>();
    private final List<String> remarks = new ArrayList<>();
    private String heading = "";
    private int violations;
    private boolean isSettled;

    /** @param place when, and from whom to whom */
    Entry(String place) {
        this.place = place;
    }

    /** Says what happened, in short. */
    void heading(String text) {
        heading = text;
    }

    /** Adds something below the heading. */
    void line(String text) {
        lines.add("    " + text);
    }

    /** Adds something below the last line. */
    void detail(String text) {
        lines.add("        " + text);
    }

    /** Adds what a reader has to know to understand the rest. */
    void note(String text) {
        remarks.add("    note: " + text);
    }

    /** Says that a rule is broken, and by what. */
    void violation(Rule rule, String what) {
        violations++;
        remarks.add("    VIOLATION: " + what + " (" + rule.sections() + ")");
    }

    int violations() {
        return violations;
    }

    /** Says that nothing more will be added. */
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
