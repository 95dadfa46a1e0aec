// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.xdr;

import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** The JMH benchmark: one message, encoded and decoded by one of the Java libraries. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class CodecBenchmark {
    /** A library's name. */
    public static final String EMPLACE = "emplace";
    /** A library's name. */
    public static final String ONCRPC = "oncrpc";

    /** The name of a {@link Sample}. */
    @Param("readdirplus")
    public String sample = "";

    /** {@link #EMPLACE} or {@link #ONCRPC}. */
    @Param(EMPLACE)
    public String library = "";

    @SuppressWarnings("NullAway.Init") // set by JMH before use
    private Codec codec;

    /** Creates the library's codec, and checks that it encodes exactly the sample's bytes. */
    @Setup
    public void prepare() throws IOException {
        Sample chosen = Sample.named(sample);
        codec = library.equals(EMPLACE) ? chosen.emplace() : chosen.oncRpc();
        codec.encode();
        if (!Arrays.equals(codec.encoded(), chosen.bytes())) {
            throw new IllegalStateException(library + " encodes " + chosen.title() + " differently");
        }
    }

    /** Encodes the message. */
    @Benchmark
    public int encode() throws IOException {
        return codec.encode();
    }

    /** Decodes the message. */
    @Benchmark
    public Object decode() throws IOException {
        return codec.decode();
    }
}
