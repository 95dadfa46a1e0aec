// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server;

/**
 * How much a server does at a time.
 *
 * @param connections the most connections; positive
 * @param threads the most calls that run; positive
 * @param credits the most calls of each connection that run or wait for a thread; positive. Further ones wait at the
 *     client
 */
public record Capacity(int connections, int threads, int credits) {
    /** 1024 connections, 16 threads, and 64 calls of each connection. */
    public static final Capacity DEFAULT = new Capacity(1024, 16, 64);

    /** Returns a copy with this limit on connections. */
    public Capacity withConnections(int most) {
        return new Capacity(most, threads, credits);
    }
}
