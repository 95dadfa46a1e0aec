// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.syntax;

import java.util.Optional;
import java.util.regex.Pattern;

/** Recognizes the text of a document, such as an RFC, that is given as a definition. */
public final class DocumentHint {

    private static final Pattern MARKED = Pattern.compile("(?m)^\\s*///");
    private static final Pattern OF_DOCUMENT = Pattern.compile(
            "(?m)\\f|^\\S.*\\[Page \\d+]\\s*$|^\\s*Request for Comments: \\d+|^Network Working Group|^Internet-Draft");

    private DocumentHint() {}

    /** The hint that the definitions can be extracted, if the text is a document's. */
    public static Optional<String> of(String text) {
        if (MARKED.matcher(text).find()) {
            return Optional.of("lines begin with ///, as in an RFC: xdrc extract takes the XDR from it");
        }
        return OF_DOCUMENT.matcher(text).find()
                ? Optional.of("this looks like the text of an RFC: xdrc extract takes the XDR from it")
                : Optional.empty();
    }
}
