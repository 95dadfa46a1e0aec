// SPDX-License-Identifier: Apache-2.0
package org.emplace.faults;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The places at which the runtime's code can be made to throw an Error: before each allocation, for which memory may be
 * lacking, and before each call of a method, for which the stack may be too short. Code that {@link FaultyClasses} has
 * loaded reports to this class that it reaches a place. The state is static, because that code has no reference to any
 * object of the test. Safe for use by several threads.
 */
public final class FaultPoints {

    /** A place, and the error that the JVM may throw there. */
    public record Point(int id, String place, Kind kind) {

        @Override
        public String toString() {
            return kind + " at " + place;
        }
    }

    /** The kinds of errors. */
    public enum Kind {
        NO_MEMORY {
            @Override
            Error at(String place) {
                return new OutOfMemoryError("injected at " + place);
            }
        },
        NO_STACK {
            @Override
            Error at(String place) {
                return new StackOverflowError("injected at " + place);
            }
        };

        abstract Error at(String place);
    }

    private static final int NONE = -1;
    private static final List<Point> POINTS = new ArrayList<>();
    private static final Map<Integer, Integer> REACHED = new LinkedHashMap<>();
    private static volatile int armed = NONE;
    private static volatile boolean recording;
    private static int passes;

    private FaultPoints() {}

    /** Adds a place. Returns its number. */
    static synchronized int add(String place, Kind kind) {
        POINTS.add(new Point(POINTS.size(), place, kind));
        return POINTS.size() - 1;
    }

    /** Called by the runtime's code before it does what can fail. */
    public static void reached(int point) {
        if (recording) {
            record(point);
        }
        if (armed == point && isNow()) {
            Point place = point(point);
            throw place.kind().at(place.place());
        }
    }

    private static synchronized void record(int point) {
        REACHED.merge(point, 1, Integer::sum);
    }

    private static synchronized Point point(int number) {
        return POINTS.get(number);
    }

    private static synchronized boolean isNow() {
        if (armed == NONE || passes-- > 0) {
            return false;
        }
        armed = NONE;
        return true;
    }

    /** Counts from here on how often each place is reached. */
    static synchronized void record() {
        REACHED.clear();
        recording = true;
    }

    /** The places that have been reached since {@link #record}, and how often each. */
    static synchronized Map<Point, Integer> recorded() {
        recording = false;
        Map<Point, Integer> points = new TreeMap<>((a, b) -> Integer.compare(a.id(), b.id()));
        REACHED.forEach((point, times) -> points.put(POINTS.get(point), times));
        return points;
    }

    /** Lets one error happen, the next time that a place is reached after it has been reached {@code passed} times. */
    static synchronized void arm(Point point, int passed) {
        passes = passed;
        armed = point.id();
    }

    /** Ends this. Returns whether the error has happened. */
    static synchronized boolean disarm() {
        boolean happened = armed == NONE;
        armed = NONE;
        return happened;
    }
}
