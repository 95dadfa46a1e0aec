// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.starter;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A file with placeholders. <code>{{name}}</code> stands for a value. The lines from <code>{{#name}}</code> to <code>{{/name}}</code> are left out if
 * the value is empty, and so is a line that consists only of an empty value.
 */
record Template(String text) {

    private static final Pattern VALUE = Pattern.compile("\\{\\{(\\w+)}}");
    private static final Pattern SECTION = Pattern.compile("\\{\\{#(\\w+)}}\n((?s:.*?))\\{\\{/\\1}}\n");

    /** The template of a file. */
    static Template of(String file) {
        String name = file + ".template";
        try (InputStream in = Objects.requireNonNull(Template.class.getResourceAsStream(name), name)) {
            return new Template(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The file with these values. */
    String with(Map<String, String> values) {
        String sections = SECTION.matcher(text)
                .replaceAll(section ->
                        value(values, section.group(1)).isEmpty() ? "" : Matcher.quoteReplacement(section.group(2)));
        StringBuilder filled = new StringBuilder();
        sections.lines().forEach(line -> {
            String there =
                    VALUE.matcher(line).replaceAll(place -> Matcher.quoteReplacement(value(values, place.group(1))));
            if (!there.isBlank() || line.isBlank()) {
                filled.append(there).append('\n');
            }
        });
        return filled.toString();
    }

    private static String value(Map<String, String> values, String name) {
        return Objects.requireNonNull(values.get(name), name);
    }
}
