// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.emit;

import com.palantir.javapoet.CodeBlock;
import java.util.List;

/** Breaks lists into lines only where one line would be too long. */
final class Lines {
    private static final int ROOM = 80;

    private Lines() {}

    /** Arguments in parentheses, each on a line of its own if they do not fit in one. */
    static CodeBlock arguments(List<CodeBlock> arguments) {
        CodeBlock inOneLine = CodeBlock.join(arguments, ", ");
        return fits(inOneLine)
                ? CodeBlock.of("($L)", inOneLine)
                : CodeBlock.of("(\n$L)", CodeBlock.join(arguments, ",\n"));
    }

    /** Operands with the operator between them, at the beginning of each line if they do not fit in one. */
    static CodeBlock operands(List<CodeBlock> operands, String operator) {
        CodeBlock inOneLine = CodeBlock.join(operands, " " + operator + " ");
        return fits(inOneLine) ? inOneLine : CodeBlock.join(operands, "\n" + operator + " ");
    }

    /** As it will be printed, types are without their packages. */
    private static boolean fits(CodeBlock code) {
        return code.toString().replaceAll("\\b([a-z]\\w*\\.)+(?=[A-Z])", "").length() <= ROOM;
    }
}
