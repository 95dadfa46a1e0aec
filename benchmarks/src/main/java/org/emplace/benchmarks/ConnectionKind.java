// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks;

import java.util.List;

/**
 * A kind of connection to measure.
 *
 * @param name in tables
 * @param scheme of the URIs for its programs
 * @param hasCalls whether its server can hold calls back
 * @param options for its JVMs
 */
record ConnectionKind(String name, String scheme, boolean hasCalls, List<String> options) {
    /** All kinds. */
    static final List<ConnectionKind> ALL = List.of(
            new ConnectionKind("iWARP with CRC32C", "rdma", true, List.of("-Dorg.emplace.rdma.provider=iwarp")),
            new ConnectionKind("TCP transport", "tcp", true, List.of()),
            new ConnectionKind("gRPC-Java", "grpc", true, List.of()),
            new ConnectionKind("plain sockets", "raw", false, List.of()));

    /** The options for its JVMs, with the user's. */
    List<String> options(Rounds rounds) {
        return rounds.javaOptions(options.toArray(String[]::new));
    }
}
