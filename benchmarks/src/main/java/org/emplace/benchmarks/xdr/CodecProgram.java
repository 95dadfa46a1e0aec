// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.xdr;

import com.sun.management.ThreadMXBean;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/**
 * A program that encodes and decodes: {@code CodecProgram emplace|oncrpc}. For each line {@code SAMPLE COUNT} of standard input it encodes
 * and decodes a {@link Sample} so many times, and prints a {@link CodecCost}.
 */
public final class CodecProgram {
    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final Map<Sample, Codec> codecs;

    /** What was encoded and decoded goes where the JVM cannot optimise it away. */
    private volatile Object last = "";

    private int encodedBytes;

    private CodecProgram(Map<Sample, Codec> codecs) {
        this.codecs = codecs;
    }

    /** The program. */
    public static void main(String[] args) throws IOException {
        Map<Sample, Codec> codecs = new EnumMap<>(Sample.class);
        for (Sample sample : Sample.values()) {
            Codec codec = args[0].equals("emplace") ? sample.emplace() : sample.oncRpc();
            codec.encode();
            if (!Arrays.equals(codec.encoded(), sample.bytes())) {
                throw new IllegalStateException(args[0] + " encodes " + sample + " differently");
            }
            codecs.put(sample, codec);
        }
        new CodecProgram(codecs).serve();
    }

    private void serve() throws IOException {
        System.out.println("ready");
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            String[] words = line.split(" ");
            Codec codec = Objects.requireNonNull(codecs.get(Sample.valueOf(words[0])));
            System.out.println(measure(codec, Integer.parseInt(words[1])).toLine());
        }
    }

    private CodecCost measure(Codec codec, int count) throws IOException {
        long allocatedFirst = threads.getCurrentThreadAllocatedBytes();
        long begin = System.nanoTime();
        for (int i = 0; i < count; i++) {
            encodedBytes += codec.encode();
        }
        last = encodedBytes;
        long encoded = System.nanoTime();
        long allocatedBetween = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < count; i++) {
            last = codec.decode();
        }
        long decoded = System.nanoTime();
        long allocatedLast = threads.getCurrentThreadAllocatedBytes();
        return new CodecCost(
                (double) (encoded - begin) / count,
                (double) (decoded - encoded) / count,
                (double) (allocatedBetween - allocatedFirst) / count,
                (double) (allocatedLast - allocatedBetween) / count);
    }
}
