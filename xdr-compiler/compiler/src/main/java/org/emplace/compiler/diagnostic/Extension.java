// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.diagnostic;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.emplace.compiler.source.Span;

/**
 * The extensions of the language of RFC 4506 and RFC 5531 that the compiler accepts. Each is reported at its first use in a file or, if {@linkplain
 * Diagnostics only standard XDR} is accepted, is an error at every use.
 */
public enum Extension {
    PREPROCESSOR("N120"),
    PERCENT_LINE("N121"),
    LINE_COMMENT("N122"),
    C_INTEGER("N123"),
    TAGGED_REFERENCE("N124"),
    COUNTED_ENUMERATOR("N125"),
    PARAMETER("N126"),
    SEVERAL_DECLARATIONS("W127"),
    NAMESPACE("N128"),
    PRAGMA("N129"),
    ZERO_COPY_OPAQUE("N130"),
    TRAILING_COMMA("N131"),
    STRING_CONSTANT("N132"),
    CHARACTER_CONSTANT("N133"),
    NAME_OF_PROGRAM("N134"),
    QUALIFIED_NAME("N135"),
    MISLEADING_C_TYPE("W136"),
    C_TYPE("W221"),
    SIZED_INTEGER("W222"),
    C_CONSTANT("W224"),
    TYPE_OF_C("W228"),
    CASE_WITHOUT_VALUE("W229"),
    REPEATED_DEFINITION("N223");

    private final String code;

    Extension(String code) {
        this.code = code;
    }

    /** The code of its diagnostics. */
    public String code() {
        return code;
    }

    /** The diagnostic for a use of the extension. */
    public Diagnostic at(Span span, String message) {
        Diagnostic.Severity severity = code.startsWith("W") ? Diagnostic.Severity.WARNING : Diagnostic.Severity.NOTE;
        return new Diagnostic(code, severity, span, message, List.of(), Optional.empty());
    }

    static boolean isCode(String code) {
        return Arrays.stream(values()).anyMatch(extension -> extension.code.equals(code));
    }
}
