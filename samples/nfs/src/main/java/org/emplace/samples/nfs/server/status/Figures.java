// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.status;

import java.util.Locale;

/** Formats numbers for people, and text for HTML. */
final class Figures {
    private Figures() {}

    /** At most four digits: {@code 0}, {@code 0.25}, {@code 12.5}, {@code 1250}, {@code 12.5k}, {@code 3M}. */
    static String number(double value) {
        if (value >= 1e6) {
            return digits(value / 1e6) + "M";
        }
        return value >= 1e4 ? digits(value / 1e3) + "k" : digits(value);
    }

    private static String digits(double value) {
        int decimals = value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3;
        String text = String.format(Locale.ROOT, "%." + decimals + "f", value);
        return decimals == 0 ? text : text.replaceAll("0+$", "").replaceAll("\\.$", "");
    }

    /** Escapes text for an element or an attribute. */
    static String html(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }
}
