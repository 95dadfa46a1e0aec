// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.javamodel;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The name of a generated class.
 *
 * @param packageName empty for the unnamed package
 * @param simpleNames from the top-level class to this one
 */
public record JavaName(String packageName, List<String> simpleNames) {

    /** A top-level class. */
    public static JavaName of(String packageName, String simpleName) {
        return new JavaName(packageName, List.of(simpleName));
    }

    /** A class nested in this one. */
    public JavaName nested(String simpleName) {
        return new JavaName(
                packageName,
                Stream.concat(simpleNames.stream(), Stream.of(simpleName)).toList());
    }

    /** The class around it; empty for a top-level class. */
    public Optional<JavaName> holder() {
        return simpleNames.size() == 1
                ? Optional.empty()
                : Optional.of(new JavaName(packageName, simpleNames.subList(0, simpleNames.size() - 1)));
    }

    /** The last of the simple names. */
    public String simpleName() {
        return simpleNames.get(simpleNames.size() - 1);
    }

    /** The name of its class file, without {@code .class}. */
    public String fileName() {
        return String.join("$", simpleNames);
    }
}
