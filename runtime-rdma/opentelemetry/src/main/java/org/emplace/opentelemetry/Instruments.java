// SPDX-License-Identifier: Apache-2.0
package org.emplace.opentelemetry;

import io.opentelemetry.api.metrics.DoubleHistogram;
import io.opentelemetry.api.metrics.LongCounter;
import io.opentelemetry.api.metrics.LongHistogram;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.metrics.ObservableLongMeasurement;
import java.time.Duration;
import java.util.List;

/** Creates the instruments that measure calls and servers. */
record Instruments(Meter meter) {
    /** In seconds. Those of the convention start at 5 ms, but a call over RDMA takes some microseconds. */
    private static final List<Double> BOUNDARIES = List.of(
            0.00001, 0.000025, 0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25,
            0.5, 1.0, 2.5, 5.0, 10.0);

    LongCounter counter(String name, String unit, String description) {
        return meter.counterBuilder(name)
                .setUnit(unit)
                .setDescription(description)
                .build();
    }

    /** A number that goes up and down. A callback reports it. */
    ObservableLongMeasurement gauge(String name, String unit, String description) {
        return meter.upDownCounterBuilder(name)
                .setUnit(unit)
                .setDescription(description)
                .buildObserver();
    }

    DoubleHistogram durations(String name, String description) {
        return meter.histogramBuilder(name)
                .setUnit("s")
                .setDescription(description)
                .setExplicitBucketBoundariesAdvice(BOUNDARIES)
                .build();
    }

    LongHistogram sizes(String name, String description) {
        return meter.histogramBuilder(name)
                .ofLongs()
                .setUnit("By")
                .setDescription(description)
                .build();
    }

    static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }
}
