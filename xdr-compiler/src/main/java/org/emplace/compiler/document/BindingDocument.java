// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.document;

import org.emplace.compiler.binding.Binding;
import org.emplace.compiler.model.Protocol;

/**
 * The Upper Layer Binding of a protocol, written for people: for each procedure a drawing of call and reply with what stays inline and what moves by
 * which chunk, the largest sizes, and what RFC 8166 section 6 wants a binding to say. Deterministic.
 */
public final class BindingDocument {

    private BindingDocument() {}

    /** One HTML file that needs no other. */
    public static String html(Protocol protocol, Binding binding, String title) {
        return HtmlPage.of(Section.of(protocol, binding), title);
    }

    /** Markdown. */
    public static String markdown(Protocol protocol, Binding binding, String title) {
        return MarkdownPage.of(Section.of(protocol, binding), title);
    }
}
