// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.emit;

/** The names of the parameters of nested lambdas, which must differ from level to level, and from every variable around them. */
final class Lambdas {
    private Lambdas() {}

    /** @param base {@code each}, {@code from} or {@code to}: no component or discriminant that could be in the way has such a name */
    static String name(String base, int depth) {
        return depth == 0 ? base : base + (depth + 1);
    }
}
