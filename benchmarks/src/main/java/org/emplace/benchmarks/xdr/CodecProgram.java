// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.xdr;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Scanner;

/**
 * A program that encodes and decodes: {@code CodecProgram emplace|oncrpc}. For each line {@code NAME COUNT} of standard input it encodes
 * and decodes the {@link Sample} of that name so many times, and prints a {@link CodecCost}.
 */
public final class CodecProgram {
    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final Map<String, Codec> codecs;

    private volatile Object last = "";

    private int encodedBytes;

    private CodecProgram(Map<String, Codec> codecs) {
        this.codecs = codecs;
    }

    /** The program. */
    public static void main(String[] args) throws IOException {
        Map<String, Codec> codecs = new HashMap<>();
        for (Sample sample : Sample.ALL) {
            Codec codec = args[0].equals("emplace") ? sample.emplace() : sample.oncRpc();
            codec.encode();
            if (!Arrays.equals(codec.encoded(), sample.bytes())) {
                throw new IllegalStateException(args[0] + " encodes " + sample.title() + " differently");
            }
            codecs.put(sample.name(), codec);
        }
        new CodecProgram(codecs).serve();
    }

    private void serve() throws IOException {
        System.out.println("ready");
        Scanner input = new Scanner(System.in, StandardCharsets.UTF_8);
        while (input.hasNext()) {
            Codec codec = Objects.requireNonNull(codecs.get(input.next()));
            System.out.println(measure(codec, input.nextInt()).toLine());
        }
    }

    /** What was encoded and decoded last: the JVM cannot leave out what ends up here. */
    Object last() {
        return last;
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
