// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.emit;

import java.util.Collections;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.emplace.compiler.binding.Binding;
import org.emplace.compiler.model.Protocol;

/** Writes a protocol as Java sources. */
public final class Emitter {
    private Emitter() {}

    /**
     * The sources of a protocol. Deterministic: the same protocol gives the same characters.
     *
     * @param filesToEmit definitions that stand in these files ({@link org.emplace.compiler.model.Origin#file}) become sources; the
     *     others are expected in the same package already
     * @param packageName the Java package of all of them
     * @return source text by path, {@code org/example/Foo.java}
     */
    public static SortedMap<String, String> emit(
            Protocol protocol, Binding binding, Set<String> filesToEmit, String packageName) {
        return Collections.unmodifiableSortedMap(new TreeMap<>());
    }
}
