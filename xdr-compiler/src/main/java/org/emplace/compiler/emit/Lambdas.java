// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.emit;

import java.util.regex.Pattern;

/** The names of the parameters of nested lambdas, which must differ from level to level, and from every variable around them. */
final class Lambdas {
    private static final Pattern ELEMENT = Pattern.compile("each[0-9]*");
    private static final Pattern DECODER = Pattern.compile("from[0-9]*");

    private Lambdas() {}

    /** Whether a lambda in a record's constructor may have a parameter of this name, so that no component can have it. */
    static boolean isElement(String name) {
        return ELEMENT.matcher(name).matches();
    }

    /** Whether a lambda that decodes may have a parameter of this name. */
    static boolean isDecoder(String name) {
        return DECODER.matcher(name).matches();
    }

    static String name(String base, int depth) {
        return depth == 0 ? base : base + (depth + 1);
    }
}
