// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.report;

import java.util.ArrayList;
import java.util.List;

/** A Markdown table whose columns are aligned in the source text. */
public final class Table {
    private final List<List<String>> rows = new ArrayList<>();

    /** A table without rows. */
    public Table(String... heads) {
        rows.add(List.of(heads));
    }

    /** Adds a row with as many cells as the head. */
    public void row(List<String> cells) {
        if (cells.size() != rows.get(0).size()) {
            throw new IllegalArgumentException("a row of " + cells.size() + " cells below a head of "
                    + rows.get(0).size());
        }
        rows.add(List.copyOf(cells));
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int row = 0; row < rows.size(); row++) {
            for (int column = 0; column < rows.get(0).size(); column++) {
                String cell = rows.get(row).get(column);
                text.append("| ").append(cell).append(" ".repeat(width(column) - cell.length() + 1));
            }
            text.append("|\n");
            if (row == 0) {
                for (int column = 0; column < rows.get(0).size(); column++) {
                    text.append("|").append("-".repeat(width(column) + 2));
                }
                text.append("|\n");
            }
        }
        return text.toString();
    }

    private int width(int column) {
        return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
    }
}
