// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.emit.code;

import com.palantir.javapoet.CodeBlock;
import org.emplace.compiler.model.XdrType;

/** Numbers as Java source. */
public final class Literals {
    private Literals() {}

    static boolean isUnbounded(long bound) {
        return bound >= XdrType.UNBOUNDED;
    }

    /** A size or a bound, for a parameter of type long. */
    public static CodeBlock bound(long bound) {
        return isUnbounded(bound) ? CodeBlock.of("$T.UNBOUNDED", Library.DECODER) : CodeBlock.of("$L", number(bound));
    }

    /** A number, with an L if it does not fit an int. */
    public static String number(long value) {
        return value == (int) value ? Long.toString(value) : value + "L";
    }
}
