// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.source;

import java.util.Comparator;

/**
 * A position in a source file.
 *
 * @param file the name of the {@link SourceFile}
 * @param line from 1; 0 for the whole file
 * @param column from 1, in characters; 0 for the whole file
 * @param length in characters, on this line
 */
public record Span(String file, int line, int column, int length) implements Comparable<Span> {

    private static final Comparator<Span> ORDER = Comparator.comparing(Span::file)
            .thenComparingInt(Span::line)
            .thenComparingInt(Span::column)
            .thenComparingInt(Span::length);

    /** A whole file. */
    public static Span ofFile(String file) {
        return new Span(file, 0, 0, 0);
    }

    @Override
    public int compareTo(Span other) {
        return ORDER.compare(this, other);
    }
}
