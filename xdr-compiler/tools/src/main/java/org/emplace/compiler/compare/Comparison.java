// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.compare;

import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.emplace.compiler.compare.Change.Effect;
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
}
