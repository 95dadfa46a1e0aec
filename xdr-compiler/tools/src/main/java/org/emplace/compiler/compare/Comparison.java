// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.compare;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import org.emplace.compiler.compare.Comparison.Change.Effect;
import org.emplace.compiler.emit.DeclaredMembers;
import org.emplace.compiler.javamodel.JavaModel;



/** Finds out, change by change, whether peers with an old and a new version of a protocol and its binding work together. */
public final class Comparison {

    private Comparison() {}

    /** All changes, the worst first. */
    public static List<Change> of(JavaModel before, JavaModel after) {
        SortedSet<Change> changes = new TreeSet<>();
        Encodings encodings = Encodings.of(before, after);
        new TypeComparison(before, after, encodings, changes).compare();
        new ProgramComparison(before, after, encodings, changes).compare();
        new JavaComparison(before, after, changes).compare();
        return List.copyOf(changes);
    }

    /** Whether old and new work together: no change is worse than {@link Effect#COMPATIBLE}. */
    public static boolean isCompatible(List<Change> changes) {
        return changes.stream().allMatch(change -> change.effect() == Effect.COMPATIBLE);
    }

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

    /**
     * Compares the declarations of generated classes. Removing a member breaks code that uses it, in source and in class files. Adding one breaks
     * nothing: no user's class implements a method that is added to an interface without a default.
     */
    private record JavaComparison(JavaModel before, JavaModel after, Collection<Change> changes) {

        /** The most members that a message names. For a class that lost more, it gives their number. */
        private static final int MOST_NAMED = 4;

        private static final String BROKEN = "code that uses it no longer compiles, and compiled code fails to link";

        void compare() {
            SortedMap<String, SortedSet<String>> old = DeclaredMembers.of(before);
            SortedMap<String, SortedSet<String>> now = DeclaredMembers.of(after);
            old.forEach((type, members) -> {
                if (now.containsKey(type)) {
                    SortedSet<String> gone = new TreeSet<>(members);
                    gone.removeAll(now.get(type));
                    members(type, gone);
                } else if (!type.contains(".") || now.containsKey(type.substring(0, type.lastIndexOf('.')))) {
                    change(type, "the class no longer exists", BROKEN);
                }
            });
        }

        private void members(String type, SortedSet<String> gone) {
            if (!gone.isEmpty()) {
                List<String> named = gone.stream().limit(MOST_NAMED).toList();
                String more = gone.size() > MOST_NAMED ? " and " + (gone.size() - MOST_NAMED) + " more" : "";
                // javac copies the values of these constants into code that uses them.
                boolean areCopied = type.equals(before.constants().simpleName());
                change(
                        type,
                        "no longer declares " + String.join(", ", named) + more,
                        areCopied ? "code that uses it no longer compiles; compiled code keeps the old value" : BROKEN);
            }
        }

        private void change(String type, String what, String why) {
            changes.add(new Change(Effect.API_BREAKING, "class " + type, what, why));
        }
    }
}
