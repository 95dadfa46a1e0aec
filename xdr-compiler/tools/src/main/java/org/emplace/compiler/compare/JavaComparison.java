// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.compare;

import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import org.emplace.compiler.compare.Change.Effect;
import org.emplace.compiler.emit.DeclaredMembers;
import org.emplace.compiler.javamodel.JavaModel;

/**
 * Compares the declarations of generated classes. Removing a member breaks code that uses it, in source and in class files. Adding one breaks
 * nothing: no user's class implements a method that is added to an interface without a default.
 */
record JavaComparison(JavaModel before, JavaModel after, Collection<Change> changes) {

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
