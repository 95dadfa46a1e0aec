// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.emit;

/** The names of the parameters of nested lambdas, which must differ from level to level, and from every variable around them. */
final class Lambdas {
    private Lambdas() {}

    /** A parameter's name at a depth of nesting; {@code base} is {@code each}, {@code from} or {@code to}, which nothing around it is called. */
    static String name(String base, int depth) {
        return depth == 0 ? base : base + (depth + 1);
    }
}
