// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.status;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import org.emplace.samples.nfs.server.status.StatusPage.Figures;

/**
 * Draws lines over the last ten minutes, as SVG. The style sheet colors each line by its number.
 *
 * @param unit of the values, for the axis; already escaped for HTML
 * @param end the right edge
 * @param lines in the order of their colors
 */
record TimeChart(String unit, Instant end, List<Line> lines) {
    private static final int WIDTH = 560;
    private static final int HEIGHT = 190;
    private static final int LEFT = 58;
    private static final int RIGHT = 8;
    private static final int TOP = 12;
    private static final int BOTTOM = 22;
    private static final int STEPS = 4;
    private static final int MINUTES = 2;

    /** Points that are further apart than this are not joined. */
    private static final Duration GAP = StatusHistory.INTERVAL.multipliedBy(3);

    /** A line through points in order of time. */
    record Line(String name, List<Point> points) {
        private OptionalDouble since(Instant time) {
            return points.stream()
                    .filter(point -> point.time().isAfter(time))
                    .mapToDouble(Point::value)
                    .reduce((earlier, later) -> later);
        }
    }

    /** A value at a point in time. */
    record Point(Instant time, double value) {}

    /** The last value of a line; empty if there is no recent one. */
    OptionalDouble latest(Line line) {
        return line.since(end.minus(GAP));
    }

    /** The drawing, as an element. */
    String svg() {
        double top = top(lines.stream()
                .flatMap(line -> line.points().stream())
                .mapToDouble(Point::value)
                .max()
                .orElse(0));
        StringBuilder svg = new StringBuilder();
        svg.append(String.format(
                Locale.ROOT, "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">", WIDTH, HEIGHT, unit));
        for (int step = 0; step <= STEPS; step++) {
            double value = top * step / STEPS;
            double y = y(value, top);
            svg.append(String.format(
                    Locale.ROOT,
                    "<line class=\"%s\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/>"
                            + "<text class=\"scale\" x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>",
                    step == 0 ? "axis" : "grid",
                    LEFT,
                    y,
                    WIDTH - RIGHT,
                    y,
                    LEFT - 6,
                    y + 4,
                    Figures.number(value)));
        }
        for (long ago = StatusHistory.KEPT.toMinutes(); ago >= 0; ago -= MINUTES) {
            svg.append(String.format(
                    Locale.ROOT,
                    "<text class=\"scale\" x=\"%.1f\" y=\"%d\" text-anchor=\"%s\">%s</text>",
                    x(end.minus(Duration.ofMinutes(ago))),
                    HEIGHT - 5,
                    ago == 0 ? "end" : ago == StatusHistory.KEPT.toMinutes() ? "start" : "middle",
                    ago == 0 ? "now" : "-" + ago + " min"));
        }
        for (int i = 0; i < lines.size(); i++) {
            svg.append(String.format(Locale.ROOT, "<path class=\"line%d\" d=\"%s\"/>", i, path(lines.get(i), top)));
        }
        return svg.append("</svg>").toString();
    }

    private String path(Line line, double top) {
        StringBuilder path = new StringBuilder();
        Instant before = null;
        for (Point point : line.points()) {
            boolean joined =
                    before != null && Duration.between(before, point.time()).compareTo(GAP) <= 0;
            // A point that is not joined to another is drawn as a dash.
            path.append(String.format(
                    Locale.ROOT, joined ? "L%.1f %.1f" : "M%.1f %.1fh1.5", x(point.time()), y(point.value(), top)));
            before = point.time();
        }
        return path.toString();
    }

    private double x(Instant time) {
        double age = Duration.between(time, end).toNanos() / (double) StatusHistory.KEPT.toNanos();
        return WIDTH - RIGHT - Math.max(0, Math.min(1, age)) * (WIDTH - LEFT - RIGHT);
    }

    private static double y(double value, double top) {
        return HEIGHT - BOTTOM - value / top * (HEIGHT - TOP - BOTTOM);
    }

    /** The end of the scale: the next 1, 2, 4, 8 or 10 times a power of ten, so that its quarters are short numbers. */
    private static double top(double largest) {
        if (largest <= 0) {
            return 1;
        }
        double power = Math.pow(10, Math.floor(Math.log10(largest)));
        for (double factor : new double[] {1, 2, 4, 8}) {
            if (largest <= factor * power) {
                return factor * power;
            }
        }
        return 10 * power;
    }
}
