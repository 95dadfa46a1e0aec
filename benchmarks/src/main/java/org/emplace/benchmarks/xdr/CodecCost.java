// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.xdr;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The cost of one message.
 *
 * @param encodeNanos nanoseconds to encode it
 * @param decodeNanos nanoseconds to decode it; in C including the time to free it
 * @param encodeAllocated bytes allocated to encode it
 * @param decodeAllocated bytes allocated to decode it
 */
public record CodecCost(double encodeNanos, double decodeNanos, double encodeAllocated, double decodeAllocated) {
    private static final Pattern LINE =
            Pattern.compile("encode=([0-9.]+) decode=([0-9.]+) encode-allocated=([0-9.]+) decode-allocated=([0-9.]+)");

    /** Reads a line of the C program: {@code encode=NANOSECONDS decode=NANOSECONDS encode-allocated=BYTES decode-allocated=BYTES}. */
    public static CodecCost parse(String line) {
        Matcher matcher = LINE.matcher(line);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("not the cost of a message: " + line);
        }
        return new CodecCost(
                Double.parseDouble(matcher.group(1)),
                Double.parseDouble(matcher.group(2)),
                Double.parseDouble(matcher.group(3)),
                Double.parseDouble(matcher.group(4)));
    }
}
