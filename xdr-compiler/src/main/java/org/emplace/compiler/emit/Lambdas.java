// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.emit;

/** The names of the parameters of nested lambdas, which must differ from level to level. */
final class Lambdas {
    private Lambdas() {}

    static String name(String base, int depth) {
        return depth == 0 ? base : base + (depth + 1);
    }
}
