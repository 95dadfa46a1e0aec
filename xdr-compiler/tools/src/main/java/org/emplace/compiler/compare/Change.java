// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.compare;

import java.util.Comparator;

/**
 * A difference between two versions of a protocol.
 *
 * @param where the changed definition or procedure
 * @param what the change
 * @param why the reason for its effect
 */
public record Change(Effect effect, String where, String what, String why) implements Comparable<Change> {

    private static final Comparator<Change> ORDER =
            Comparator.comparing(Change::effect).thenComparing(Change::where).thenComparing(Change::what);

    /** The effect of a change on users of the old protocol, the worst first. */
    public enum Effect {
        /** Old and new peers do not understand each other's messages, or not all of them. */
        WIRE_BREAKING("wire-breaking"),
        /** They understand each other's messages, but not by RDMA: chunks or addresses differ from what the other expects. */
        BINDING_BREAKING("binding-breaking"),
        /** Old and new peers work together, but code that uses the generated classes must be changed. */
        API_BREAKING("API-breaking"),
        /** Old and new peers work together. */
        COMPATIBLE("wire-compatible");

        private final String word;

        Effect(String word) {
            this.word = word;
        }

        /** The effect as users read it. */
        public String word() {
            return word;
        }
    }

    @Override
    public int compareTo(Change other) {
        return ORDER.compare(this, other);
    }
}
