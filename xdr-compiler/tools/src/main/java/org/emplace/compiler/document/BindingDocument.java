// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.document;

import org.emplace.compiler.binding.Binding;
import org.emplace.compiler.model.Protocol;

/**
 * Documents the Upper Layer Binding of a protocol. For each procedure there is a drawing of call and reply, which shows what stays inline and which
 * chunk moves each item, and the largest sizes. A table lists what RFC 8166 section 6 requires of a binding. Deterministic.
 */
public final class BindingDocument {

    private BindingDocument() {}

    /** The document as a self-contained HTML file. */
    public static String html(Protocol protocol, Binding binding, String title) {
        return HtmlPage.of(Section.of(protocol, binding), title);
    }

    /** The document as Markdown. */
    public static String markdown(Protocol protocol, Binding binding, String title) {
        return MarkdownPage.of(Section.of(protocol, binding), title);
    }
}
