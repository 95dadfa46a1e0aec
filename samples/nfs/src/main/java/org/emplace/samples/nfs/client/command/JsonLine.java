// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.command;

import java.util.Locale;

/** A JSON object on one line (RFC 8259). */
final class JsonLine {
    private final StringBuilder text = new StringBuilder();

    /** Adds a member. */
    JsonLine with(String name, String value) {
        return member(name, quoted(value));
    }

    /** Adds a member. The number is unsigned. */
    JsonLine with(String name, long value) {
        return member(name, Long.toUnsignedString(value));
    }

    private JsonLine member(String name, String value) {
        text.append(text.length() == 0 ? "" : ",")
                .append(quoted(name))
                .append(':')
                .append(value);
        return this;
    }

    private static String quoted(String value) {
        StringBuilder quoted = new StringBuilder("\"");
        value.chars().forEach(c -> {
            if (c == '"' || c == '\\') {
                quoted.append('\\').append((char) c);
            } else if (c < ' ' || c == 0x7f) {
                quoted.append(String.format(Locale.ROOT, "\\u%04x", c));
            } else {
                quoted.append((char) c);
            }
        });
        return quoted.append('"').toString();
    }

    @Override
    public String toString() {
        return "{" + text + "}";
    }
}
