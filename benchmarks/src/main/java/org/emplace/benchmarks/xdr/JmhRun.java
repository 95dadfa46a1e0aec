// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.xdr;

import java.util.Collection;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs the codecs with JMH, each operation in its own JVM.
 *
 * @param warmUpSeconds warm-up time of each operation
 * @param millis measuring time of each operation
 */
public record JmhRun(int warmUpSeconds, int millis) {
    private static final String ALLOCATED = "gc.alloc.rate.norm";

    /**
     * Measures a library with a message.
     *
     * @param library {@link CodecBenchmark#EMPLACE} or {@link CodecBenchmark#ONCRPC}
     */
    public CodecCost measure(String library, Sample sample) throws RunnerException {
        Options options = new OptionsBuilder()
                .include(CodecBenchmark.class.getName())
                .param("library", library)
                .param("sample", sample.name())
                .forks(1)
                .warmupIterations(warmUpSeconds)
                .warmupTime(TimeValue.seconds(1))
                .measurementIterations(1)
                .measurementTime(TimeValue.milliseconds(millis))
                .addProfiler(GCProfiler.class)
                .verbosity(VerboseMode.SILENT)
                .build();
        Collection<RunResult> results = new Runner(options).run();
        RunResult encode = of("encode", results);
        RunResult decode = of("decode", results);
        return new CodecCost(
                encode.getPrimaryResult().getScore(),
                decode.getPrimaryResult().getScore(),
                allocated(encode),
                allocated(decode));
    }

    private static RunResult of(String operation, Collection<RunResult> results) throws RunnerException {
        return results.stream()
                .filter(result -> result.getParams().getBenchmark().endsWith("." + operation))
                .findFirst()
                .orElseThrow(() -> new RunnerException("JMH has not measured " + operation));
    }

    private static double allocated(RunResult result) throws RunnerException {
        Result<?> bytes = result.getSecondaryResults().get(ALLOCATED);
        if (bytes == null) {
            throw new RunnerException("JMH's profiler has no " + ALLOCATED);
        }
        return bytes.getScore();
    }
}
