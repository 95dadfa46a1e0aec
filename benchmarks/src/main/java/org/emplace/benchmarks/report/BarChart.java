// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Horizontal bars in groups, as an SVG image for light and dark pages. */
public final class BarChart {
    private static final int WIDTH = 860;
    private static final int LABELS = 230;
    private static final int VALUES = 60;
    private static final int TITLE = 34;
    private static final int LEGEND = 30;
    private static final int BAR = 15;
    private static final int GAP = 12;
    /** The bars' colors, which differ in brightness too. */
    private static final List<String> COLORS = List.of("#d9730d", "#7a8ba3", "#3f9c6b", "#8a63d2");

    private final String title;
    private final List<String> series;
    private final List<Group> groups = new ArrayList<>();

    private record Group(String label, List<Double> values) {}

    /**
     * Creates a chart without bars.
     *
     * @param series the names of each group's bars, in order; four at most
     */
    public BarChart(String title, List<String> series) {
        if (series.size() > COLORS.size()) {
            throw new IllegalArgumentException("a chart has " + COLORS.size() + " colors, not " + series.size());
        }
        this.title = title;
        this.series = List.copyOf(series);
    }

    /** Adds a group, with a value for each series; none is negative. */
    public void group(String label, List<Double> values) {
        if (values.size() != series.size()) {
            throw new IllegalArgumentException(label + " has " + values.size() + " values, not " + series.size());
        }
        groups.add(new Group(label, List.copyOf(values)));
    }

    /** The image. */
    public String toSvg() {
        int groupHeight = series.size() * BAR + GAP;
        int height = TITLE + LEGEND + groups.size() * groupHeight + GAP;
        StringBuilder svg = new StringBuilder();
        svg.append(format(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\">\n",
                WIDTH, height, WIDTH, height));
        svg.append(format("<title>%s</title>\n", escaped(title)));
        svg.append(
                        "<style>text { font: 12px sans-serif; fill: #24292f } .title { font-weight: bold; font-size: 14px }\n")
                .append("@media (prefers-color-scheme: dark) { text { fill: #d0d7de } }</style>\n");
        svg.append(format("<text class=\"title\" x=\"%d\" y=\"20\">%s</text>\n", GAP, escaped(title)));
        legend(svg);
        double scale = (WIDTH - LABELS - VALUES) / Math.max(largest(), Double.MIN_NORMAL);
        for (int i = 0; i < groups.size(); i++) {
            bars(svg, groups.get(i), TITLE + LEGEND + i * groupHeight, scale);
        }
        return svg.append("</svg>\n").toString();
    }

    private void legend(StringBuilder svg) {
        int x = LABELS;
        for (int i = 0; i < series.size(); i++) {
            svg.append(rectangle(x, TITLE, BAR, COLORS.get(i)));
            svg.append(text(x + BAR + 6, TITLE + BAR - 4, "start", series.get(i)));
            x += 7 * series.get(i).length() + 3 * BAR;
        }
    }

    private static void bars(StringBuilder svg, Group group, int top, double scale) {
        int middle = top + group.values().size() * BAR / 2 + 4;
        svg.append(text(LABELS - 10, middle, "end", group.label()));
        for (int i = 0; i < group.values().size(); i++) {
            double value = group.values().get(i);
            int y = top + i * BAR;
            svg.append(rectangle(LABELS, y, value * scale, COLORS.get(i)));
            svg.append(text(LABELS + value * scale + 6, y + BAR - 4, "start", format("%.1f", value)));
        }
    }

    private double largest() {
        return groups.stream()
                .flatMap(group -> group.values().stream())
                .mapToDouble(Double::doubleValue)
                .max()
                .orElse(1);
    }

    private static String rectangle(int x, int y, double width, String color) {
        return format(
                "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>\n", x, y, width, BAR - 1, color);
    }

    private static String text(double x, int y, String anchor, String text) {
        return format("<text x=\"%.1f\" y=\"%d\" text-anchor=\"%s\">%s</text>\n", x, y, anchor, escaped(text));
    }

    private static String format(String format, Object... arguments) {
        return String.format(Locale.ROOT, format, arguments);
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
