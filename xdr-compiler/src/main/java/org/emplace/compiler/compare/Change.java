// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.compare;

import java.util.Comparator;

/**
 * One difference between two versions of a protocol.
 *
 * @param where the definition or procedure that has changed
 * @param what has changed
 * @param why it is what it is
 */
public record Change(Effect effect, String where, String what, String why) implements Comparable<Change> {

    private static final Comparator<Change> ORDER =
            Comparator.comparing(Change::effect).thenComparing(Change::where).thenComparing(Change::what);

    /** What a change does to those who have the old protocol; the gravest comes first. */
    public enum Effect {
        /** Old and new peers do not understand each other's messages, or not all of them. */
        WIRE_BREAKING("wire-breaking"),
        /** They do, but not by RDMA: chunks or addresses are not what the other expects. */
        BINDING_BREAKING("binding-breaking"),
        /** They do, but code that uses the generated classes has to be changed. */
        API_BREAKING("API-breaking"),
        /** Old and new work with each other. */
        COMPATIBLE("wire-compatible");

        private final String word;

        Effect(String word) {
            this.word = word;
        }

        /** As users read it. */
        public String word() {
            return word;
        }
    }

    @Override
    public int compareTo(Change other) {
        return ORDER.compare(this, other);
    }
}
