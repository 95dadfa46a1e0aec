// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.status;

import java.time.Instant;
import java.util.Map;
import org.emplace.rpc.ServerLoad;

/**
 * The activity of a server in an interval.
 *
 * @param end of the interval
 * @param load at its end
 * @param rates by procedure, without procedures that had no calls
 */
record ServerSample(Instant end, ServerLoad load, Map<String, Rate> rates) {

    /**
     * The calls of one procedure.
     *
     * @param calls per second
     * @param bytes per second, in both directions
     * @param slowest the 99th percentile of the calls' time, in seconds
     */
    record Rate(double calls, double bytes, double slowest) {}
}
